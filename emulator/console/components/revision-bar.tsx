import { duration, toneOf } from "../format";
import type { Bar } from "../views";

const WIDTH = 1000;

/** How long a revision has taken so far. */
export function lengthOf({ segments }: Bar, now: number): number {
  const first = segments[0];
  const last = segments.at(-1);
  return first === undefined || last === undefined ? 0 : Math.max(0, (last.to ?? now) - first.from);
}

/** The time in each status, as text. */
export const timesOf = ({ segments }: Bar, now: number): string =>
  segments.map(({ status, from, to }) => `${status} ${duration((to ?? now) - from)}`).join(", ");

/** A revision as a bar, a segment for each status; `longest` fills the whole width. */
export function RevisionBar({
  bar,
  now,
  longest,
}: {
  readonly bar: Bar;
  readonly now: number;
  readonly longest: number;
}) {
  const begin = bar.segments[0]?.from ?? now;
  const scale = WIDTH / Math.max(1, longest);
  const took = duration(lengthOf(bar, now));
  return (
    <div class="revision">
      <span class="faint number">#{bar.number}</span>
      <svg
        class="bar"
        viewBox={`0 0 ${WIDTH} 10`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Revision ${bar.number}, ${bar.status}: ${timesOf(bar, now)}`}
        data-revision={bar.id}
        data-revision-status={bar.status}
      >
        {bar.segments.map(({ status, from, to }) => (
          <rect
            key={status}
            class={`segment ${status.toLowerCase()}`}
            x={((from - begin) * scale).toFixed(1)}
            y="0"
            width={Math.max(0, ((to ?? now) - from) * scale).toFixed(1)}
            height="10"
          >
            <title>{`${status} ${duration((to ?? now) - from)}`}</title>
          </rect>
        ))}
      </svg>
      <span class={`status ${toneOf(bar.status)}`}>{bar.status}</span>
      <span class="faint took">{took}</span>
    </div>
  );
}

/** Bars under each other, on one scale. */
export function RevisionBars({ bars, now }: { readonly bars: readonly Bar[]; readonly now: number }) {
  const longest = Math.max(1, ...bars.map((bar) => lengthOf(bar, now)));
  return (
    <div class="bars">
      {bars.map((bar) => (
        <RevisionBar key={bar.id} bar={bar} now={now} longest={longest} />
      ))}
    </div>
  );
}
