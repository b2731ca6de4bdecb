import { runMain } from "../base/main";
import { ensureS3Server } from "./s3";

/** Builds the server that the tests of backends use. */
runMain(async () => console.log(await ensureS3Server()));
