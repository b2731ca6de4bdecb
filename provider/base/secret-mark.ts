/** The key with which the engine's wire format and its states mark a special value, and what it says of a secret. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";
export const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";
