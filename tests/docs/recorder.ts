import { writeFileSync } from "node:fs";
import { pages, read, withRecordings } from "./pages";
import { Stage } from "./stage";
import { walk } from "./walk";

/** Plays the walk, and writes what its commands printed into the pages that show them. */
export async function record(): Promise<void> {
  const stage = await Stage.open();
  try {
    await walk(stage);
    for (const page of pages()) writeFileSync(page, withRecordings(read(page), stage.recordings));
  } finally {
    await stage.close();
  }
}
