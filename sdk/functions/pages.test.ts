import { listSandboxTemplates, listSandboxTemplatesOutput, type FunctionOptions } from "..";
import { startEmulator, type Emulator } from "../../emulator";
import { ask } from "../../tests/support/ask";
import { valueOf } from "../../tests/support/value-of";

const template = (name: string) => ({ name, image: "python:3.12", resources: { cpu: "1" } });
describe("a list", () => {
  let many: Emulator;
  let here: FunctionOptions;
  beforeAll(async () => {
    many = await startEmulator({ buildSeconds: 0 });
    here = { connection: { baseUrl: many.url, apiKey: many.apiKey } };
    for (let at = 0; at < 501; at += 1) await ask(many, "POST", "/v2/sandboxes/templates", template(`t${at}`));
  });
  beforeEach(() => many.clearLog());
  afterAll(() => many.close());

  const count = async (maximum?: number): Promise<number> => {
    let seen = 0;
    for await (const { name } of listSandboxTemplates({ maximum }, here)) seen += name === "" ? 0 : 1;
    return seen;
  };

  test.each<[maximum: number | undefined, found: number, requests: number, reason: string]>([
    [3, 3, 1, "a part of a page"],
    [500, 500, 1, "exactly a page: the next one is not requested"],
    [501, 501, 2, "as many as there are"],
    [1000, 501, 3, "more than there are: only an empty page is the end"],
    [undefined, 501, 3, "all: only an empty page is the end"],
  ])("with maximum %p: %i templates in %i requests (%s)", async (maximum, found, requests) => {
    expect(await count(maximum)).toBe(found);
    expect(many.requests).toHaveLength(requests);
    many.clearLog();
    expect(await valueOf(listSandboxTemplatesOutput({ maximum }, here))).toHaveLength(found);
    expect(many.requests).toHaveLength(requests);
  });
});
