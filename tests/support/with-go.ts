import { MAKES_EXECUTABLES } from "../../tools/release/executable";

const GO = process.env["GO_UNAVAILABLE"] === undefined;

/** `test` where there is a Go that builds the generators of SDKs; otherwise skipped (setup.js has said so). */
export const testWithGo = GO ? test : test.skip;

/** `describe` where this machine makes releases: with Go, on the system whose Node becomes a part of the plugin. */
export const describeWithRelease = (describeWith: jest.Describe): jest.Describe =>
  GO && MAKES_EXECUTABLES ? describeWith : describe.skip;
