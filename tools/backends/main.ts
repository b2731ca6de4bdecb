import { reasonOf } from "../engine/command";
import { BACKENDS } from "./kinds";

/** Installs the servers that the tests of backends use. What cannot be had gets one line. */
async function main(): Promise<void> {
  for (const { name, ensure } of BACKENDS) {
    try {
      console.log(`${name}: ${await ensure()}`);
    } catch (error) {
      console.error(`!!! NO ${name}: ${reasonOf(error)}`);
      process.exitCode = 1;
    }
  }
}

void main();
