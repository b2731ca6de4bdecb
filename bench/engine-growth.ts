import type { Emulator } from "../emulator";
import { atMost, exactly, inTurns, NETWORKS, seconds, Side, type Curve, type Measured, type Row } from "./row";
import { PROGRAMS, slowDown, succeedsIn, withEmulator, withStack, type Kind } from "./stacks";

const COMMANDS = ["up", "preview", "refresh"] as const;

/** The time of the commands, in milliseconds, and their requests. */
interface Run {
  readonly up: number;
  readonly preview: number;
  readonly previewRequests: number;
  readonly refresh: number;
  readonly refreshRequests: number;
  /** With the latency of a network. */
  readonly farRefresh: number;
}

/** The measurements with `count` templates. */
interface Size {
  readonly count: number;
  readonly ours: Side<Run>;
  readonly bare: Side<Run>;
}

/** `up`, and then a preview and a refresh without changes, of 50 to 800 templates. */
export const engineGrowth = (): Promise<Measured> =>
  withEmulator({}, async (emulator) => {
    const sizes: Size[] = [];
    for (const count of [50, 200, 500, 800]) {
      const side = (kind: Kind) => new Side(() => allCommands(emulator, PROGRAMS[kind](count)));
      const [ours, bare] = [side("ours"), side("bare")];
      await inTurns(ours, bare);
      sizes.push({ count, ours, bare });
    }
    const curves = COMMANDS.map((name): Curve => {
      const middle = (side: Side<Run>) => side.median((run) => run[name]);
      const points = sizes.map(({ count, ours, bare }) => ({ count, ours: middle(ours), baseline: middle(bare) }));
      return { name, points };
    });
    return { rows: [...sizes.flatMap(rowsOf), ...curves.map(growth)], curves };
  });

function allCommands(emulator: Emulator, program: string): Promise<Run> {
  return withStack(emulator, program, async (stack) => {
    const unchanged = async (command: "preview" | "refresh") => {
      emulator.clearLog();
      const ms = await succeedsIn(() => stack[command]("--expect-no-changes"));
      return { ms, requests: emulator.requests.length };
    };
    const up = await succeedsIn(() => stack.up());
    const [preview, refresh] = [await unchanged("preview"), await unchanged("refresh")];
    slowDown(emulator, NETWORKS[1].latencyMs);
    const far = await unchanged("refresh");
    return {
      up,
      preview: preview.ms,
      previewRequests: preview.requests,
      refresh: refresh.ms,
      refreshRequests: refresh.requests,
      farRefresh: far.ms,
    };
  });
}

/** The goals are for previews of 200 and 800, and for a refresh of 500. */
function rowsOf({ count, ours, bare }: Size): Row[] {
  const time = (what: string, most: number, figure: (run: Run) => number): Row => {
    const [ms, stockMs] = [ours.median(figure), bare.median(figure)];
    const name = `${what}: time, against stock resources that do nothing`;
    return { name, ours: seconds(ms), baseline: seconds(stockMs), ...atMost(most, ms / stockMs) };
  };
  const requests = (what: string, wanted: number, figure: (run: Run) => number): Row => {
    const sent = ours.most(figure);
    return { name: `${what}: requests`, ours: String(sent), baseline: String(wanted), ...exactly(wanted, sent) };
  };
  const preview = `preview of ${count} templates without changes`;
  if (count === 200 || count === 800) {
    return [time(preview, 1, (run) => run.preview), requests(preview, 0, (run) => run.previewRequests)];
  }
  const refresh = `refresh of ${count} templates without changes`;
  if (count === 500) {
    return [
      time(`${refresh}, ${NETWORKS[0].network}`, 1.3, (run) => run.refresh),
      time(`${refresh}, ${NETWORKS[1].network}`, 1.3, (run) => run.farRefresh),
      requests(refresh, 1, (run) => run.refreshRequests),
    ];
  }
  return [];
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
    ...atMost(1, ratio),
  };
}
