import { shortDuration, toneOf } from "../format";
import type { DeploymentView } from "../views";

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [400, 150, 64, 26];

/** How long each revision took, as a line. The table of revisions says the same in figures. */
export function BuildTimes({ builds }: Pick<DeploymentView, "builds">) {
  if (builds.length === 0) return <p class="faint">No revision has ended yet.</p>;
  const longest = Math.max(1, ...builds.map(({ ms }) => ms));
  const x = (index: number): number =>
    builds.length === 1 ? (LEFT + WIDTH) / 2 : LEFT + 8 + (index / (builds.length - 1)) * (WIDTH - LEFT - 16);
  const y = (ms: number): number => 12 + (1 - ms / longest) * (HEIGHT - BOTTOM - 16);
  const points = builds.map(({ ms }, index) => `${x(index).toFixed(1)},${y(ms).toFixed(1)}`).join(" ");
  const said = builds.map(({ number, ms, status }) => `revision ${number} ${shortDuration(ms)} ${status}`).join(", ");
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Build times: ${said}`}>
      <line class="axis" x1={LEFT} y1={y(0)} x2={WIDTH} y2={y(0)} />
      <line class="grid" x1={LEFT} y1={y(longest)} x2={WIDTH} y2={y(longest)} />
      <text class="label end" x={LEFT - 8} y={y(longest) + 4}>
        {shortDuration(longest)}
      </text>
      <text class="label end" x={LEFT - 8} y={y(0) + 4}>
        0 s
      </text>
      <polyline class="line" points={points} />
      {builds.map(({ number, ms, status }, index) => (
        <circle key={number} class={`dot ${toneOf(status)}`} cx={x(index).toFixed(1)} cy={y(ms).toFixed(1)} r="4">
          <title>{`Revision ${number}: ${shortDuration(ms)}, ${status}`}</title>
        </circle>
      ))}
      <text class="label" x={LEFT} y={HEIGHT - 4}>{`#${builds[0]?.number ?? 1}`}</text>
      <text class="label end" x={WIDTH - 4} y={HEIGHT - 4}>{`#${builds.at(-1)?.number ?? 1}`}</text>
    </svg>
  );
}
