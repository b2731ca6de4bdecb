import { shortDuration, toneOf } from "../format";
import type { Bar } from "../views";

const WIDTH = 1000;

/** How long a revision has taken so far. */
export function lengthOf({ segments }: Bar, now: number): number {
  const first = segments[0];
  const last = segments.at(-1);
  return first === undefined || last === undefined ? 0 : Math.max(0, (last.to ?? now) - first.from);
}

/** Lengths of a whole scale, in seconds: a bar that grows reaches the end of one before it takes the next. */
const SCALES = [5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600];

/** The scale on which these bars are drawn, in milliseconds. */
export function scaleOf(bars: readonly Bar[], now: number): number {
  const longest = Math.max(1, ...bars.map((bar) => lengthOf(bar, now)));
  return (SCALES.find((seconds) => seconds * 1000 >= longest) ?? longest / 1000) * 1000;
}

/** The time in each status, as text. */
export const timesOf = ({ segments }: Bar, now: number): string =>
  segments.map(({ status, from, to }) => `${status} ${shortDuration((to ?? now) - from)}`).join(", ");

/** A revision as a bar, a segment for each status; `scale` milliseconds fill the whole width. */
export function RevisionBar({ bar, now, scale }: { readonly bar: Bar; readonly now: number; readonly scale: number }) {
  const begin = bar.segments[0]?.from ?? now;
  const perMs = WIDTH / scale;
  const took = shortDuration(lengthOf(bar, now));
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
            x={((from - begin) * perMs).toFixed(1)}
            y="0"
            width={Math.max(0, ((to ?? now) - from) * perMs).toFixed(1)}
            height="10"
          >
            <title>{`${status} ${shortDuration((to ?? now) - from)}`}</title>
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
  const scale = scaleOf(bars, now);
  return (
    <div class="bars">
      {bars.map((bar) => (
        <RevisionBar key={bar.id} bar={bar} now={now} scale={scale} />
      ))}
    </div>
  );
}

const LEGEND = ["CREATING", "QUEUED", "AWAITING", "BUILDING", "DEPLOYING"];

/** What the colours of the segments mean; each segment says it too. */
export const Legend = () => (
  <ul class="legend" aria-label="Colours of the statuses">
    {LEGEND.map((status) => (
      <li key={status}>
        <svg viewBox="0 0 10 10" class="swatch" aria-hidden="true">
          <rect class={`segment ${status.toLowerCase()}`} width="10" height="10" />
        </svg>
        {status}
      </li>
    ))}
  </ul>
);
