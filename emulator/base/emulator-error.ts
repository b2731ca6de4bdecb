/** A problem that keeps the emulator from starting; the message alone says what to do. */
export class EmulatorError extends Error {
  override readonly name = "EmulatorError";
}
