/**
 * What a suite starts once, puts back before each test and closes at its end; it stands for what was started.
 * @param of What it looks like: the prototype of its class.
 */
export function ofSuite<T extends { reset(): unknown; close(): Promise<unknown> }>(of: T, start: () => Promise<T>): T {
  let started = of;
  beforeAll(async () => {
    started = await start();
  });
  beforeEach(async () => {
    await started.reset();
  });
  afterAll(() => started.close());
  return new Proxy(of, {
    get: (_of, name) => {
      const value: unknown = Reflect.get(started, name, started);
      return typeof value === "function"
        ? (...given: unknown[]): unknown => Reflect.apply(value, started, given)
        : value;
    },
  });
}

const open: { close(): Promise<unknown> }[] = [];
afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));

/** What a test has started for itself alone: it is closed at the end of the test. */
export function ofTest<T extends { close(): Promise<unknown> }>(started: T): T {
  open.push(started);
  return started;
}
