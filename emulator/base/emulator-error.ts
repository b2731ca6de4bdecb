/** A problem that keeps the emulator from starting; the message says what to do. */
export class EmulatorError extends Error {
  override readonly name = "EmulatorError";
}
