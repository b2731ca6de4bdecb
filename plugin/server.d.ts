// Starts the plugin for the engine that runs this file.
export {};
