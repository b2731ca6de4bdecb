import type { Emulator } from "../emulator";
import {
  atMost,
  exactly,
  inBytes,
  inTurns,
  NETWORKS,
  rowOfSides,
  seconds,
  Side,
  type Curve,
  type Measured,
  type Row,
} from "./row";
import { PROGRAMS, slowDown, succeedsIn, withEmulator, withStack, type Kind } from "./stacks";

const COMMANDS = ["up", "preview", "refresh"] as const;
const [AT_ONCE, FAR] = NETWORKS;
const SIZES = [
  ...[50, 200, 500, 800].map((count) => ({ count, ...AT_ONCE })),
  ...[200, 500].map((count) => ({ count, ...FAR })),
];

/** The time of the commands, in milliseconds, and what they leave and send. */
interface Run {
  readonly up: number;
  /** Of the state, for each resource. */
  readonly bytes: number;
  readonly preview: number;
  readonly previewRequests: number;
  readonly refresh: number;
  readonly refreshRequests: number;
}

/** The measurements of one size. */
interface Size {
  readonly count: number;
  readonly network: string;
  readonly ours: Side<Run>;
  readonly bare: Side<Run>;
  readonly createAlone: Side<Run>;
}

/** `up`, and then a preview and a refresh without changes, of 50 to 800 templates; and the size of the state. */
export const engineGrowth = (): Promise<Measured> =>
  withEmulator({}, async (emulator) => {
    const sizes: Size[] = [];
    for (const { count, network, latencyMs } of SIZES) {
      const side = (kind: Kind) => new Side(() => allCommands(emulator, PROGRAMS[kind](count), count, latencyMs));
      const [ours, bare, createAlone] = [side("ours"), side("bare"), side("createAlone")];
      await inTurns(ours, bare, ...(count === 200 ? [createAlone] : []));
      sizes.push({ count, network, ours, bare, createAlone });
    }
    const curves = COMMANDS.map((name): Curve => {
      const middle = (side: Side<Run>) => side.median((run) => run[name]);
      const points = sizes
        .filter(({ network }) => network === AT_ONCE.network)
        .map(({ count, ours, bare }) => ({ count, ours: middle(ours), baseline: middle(bare) }));
      return { name, points };
    });
    return { rows: [...sizes.flatMap(rowsOf), ...curves.map(growth)], curves };
  });

function allCommands(emulator: Emulator, program: string, count: number, latencyMs: number): Promise<Run> {
  return withStack(emulator, program, async (stack) => {
    slowDown(emulator, latencyMs);
    const unchanged = async (command: "preview" | "refresh") => {
      emulator.clearLog();
      const ms = await succeedsIn(() => stack[command]("--expect-no-changes"));
      return { ms, requests: emulator.requests.length };
    };
    const up = await succeedsIn(() => stack.up());
    const bytes = stack.stateText().length / count;
    const [preview, refresh] = [await unchanged("preview"), await unchanged("refresh")];
    return {
      up,
      bytes,
      preview: preview.ms,
      previewRequests: preview.requests,
      refresh: refresh.ms,
      refreshRequests: refresh.requests,
    };
  });
}

/** The goals are for `up` and the state of 200, for previews of 200 and 800, and for a refresh of 500. */
function rowsOf({ count, network, ours, bare, createAlone }: Size): Row[] {
  const compared = (what: string, most: number, figure: (run: Run) => number, stock = bare, text = seconds): Row => {
    const whose =
      stock === bare ? "stock resources that do nothing" : "the smallest stock resources, with a create alone";
    return rowOfSides(`${what}, against ${whose}`, [ours, stock], figure, text, atMost(most));
  };
  const requests = (what: string, wanted: number, figure: (run: Run) => number): Row =>
    exactly(`${what}: requests`, ours.most(figure), wanted);
  const isFar = network === FAR.network;
  const rows: Row[] = [];
  if (count === 200) {
    for (const stock of [bare, createAlone]) {
      rows.push(compared(`up of ${count} templates, ${network}: time`, 0.85, (run) => run.up, stock));
      // The same on every network.
      if (!isFar) rows.push(compared("state per resource", 0.4, (run) => run.bytes, stock, inBytes));
    }
  }
  if (!isFar && (count === 200 || count === 800)) {
    const preview = `preview of ${count} templates without changes`;
    rows.push(compared(`${preview}: time`, 1, (run) => run.preview));
    rows.push(requests(preview, 0, (run) => run.previewRequests));
  }
  if (count === 500) {
    const refresh = `refresh of ${count} templates without changes`;
    rows.push(compared(`${refresh}, ${network}: time`, 1.3, (run) => run.refresh));
    if (!isFar) rows.push(requests(refresh, 1, (run) => run.refreshRequests));
  }
  return rows;
}

/** Our share is the time that ours takes beyond the stock resources. Linear: no more per template at the largest count than at the smallest. */
function growth({ name, points }: Curve): Row {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) throw new Error("a curve without points");
  const times = last.count / first.count;
  const [linear, share] = [(first.ours - first.baseline) * times, last.ours - last.baseline];
  // Where ours is faster than the stock resources, there is no share that could grow.
  const ratio = share <= 0 ? 0 : share / Math.max(linear, 0);
  return {
    name: `growth of ${name}: our share at ${last.count} templates, against ${times} times that at ${first.count}`,
    ours: seconds(share),
    baseline: seconds(linear),
    ...atMost(1)(ratio),
  };
}
