import { writeFileSync } from "node:fs";
import { pages, read, withRecordings } from "./pages";
import { Reader } from "./reader";
import { CHAPTERS } from "./walk/chapters";
import { Walk } from "./walk/walk";

/** Plays the walk, and writes what its commands printed into the pages that show them. */
export async function record(): Promise<void> {
  const reader = await Reader.open();
  try {
    const walk = new Walk(reader);
    for (const [title, play, isPossible = true] of CHAPTERS) {
      if (!isPossible) continue;
      console.log(title);
      await play(walk);
    }
    for (const page of pages()) writeFileSync(page, withRecordings(read(page), reader.recordings));
  } finally {
    await reader.close();
  }
}
