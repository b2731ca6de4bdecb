import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../../tests/support/new-folder";
import { findCheckout, OLDEST_GO } from "../engine/layout";
import { writeSdk } from "./generator";

test("an SDK is that of the plugin's schema, or of another one, as the language host gives it", async () => {
  const folder = newFolder();
  // A Go whose programs only note their arguments.
  const go = `#!/bin/sh
[ "$1" = version ] && echo "go version go${OLDEST_GO}" && exit
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\\necho "$@" >> ${folder}/asked\\n' > "$2" && chmod +x "$2"
`;
  writeFileSync(join(folder, "go"), go, { mode: 0o755 });
  const env = { PATH: `${folder}:/usr/bin:/bin`, XDG_CACHE_HOME: folder };
  const place = { checkout: findCheckout(), env, log: () => undefined };
  const sdk = join(folder, "sdk");
  await writeSdk(place, "python", sdk);
  await writeSdk(place, "python", sdk, "other.json");
  const schemas = [join(place.checkout, "plugin", "schema.json"), "other.json"];
  const asked = schemas.map((schema) => `${schema} python ${sdk}\n`);
  expect(readFileSync(join(folder, "asked"), "utf8")).toBe(asked.join(""));
});
