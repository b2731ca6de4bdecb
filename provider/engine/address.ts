/** Where the engine that started this process listens; undefined while that is not known. */
export type EngineAddress = () => string | undefined;
