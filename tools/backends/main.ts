import { runMain } from "../base/main";
import { reasonOf } from "../engine/command";
import { BACKENDS } from "./kinds";

/** Installs the servers that the tests of backends use. What cannot be had gets one line. */
runMain(async () => {
  let code = 0;
  for (const { name, ensure } of BACKENDS) {
    try {
      console.log(`${name}: ${await ensure()}`);
    } catch (error) {
      console.error(`!!! NO ${name}: ${reasonOf(error)}`);
      code = 1;
    }
  }
  return code;
});
