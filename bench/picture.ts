import type { Curve } from "./row";

const [PANEL, HEIGHT, GAP] = [260, 200, 60];
const [LEFT, TOP] = [50, 50];
const COLOURS = { ours: "#2563eb", baseline: "#6b7280" };

/** An SVG of the growth curves: a panel for each, seconds over resources, ours and the stock resources'. */
export function picture(curves: readonly Curve[]): string {
  const width = LEFT + curves.length * (PANEL + GAP);
  const height = TOP + HEIGHT + 50;
  const panels = curves.map((curve, n) => panel(curve, LEFT + n * (PANEL + GAP)));
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#374151">`,
    `<rect width="${width}" height="${height}" fill="white"/>`,
    ...panels.flat(),
    "</svg>",
  ].join("\n")}\n`;
}

function panel({ name, points }: Curve, left: number): string[] {
  const most = Math.max(...points.map(({ count }) => count));
  const longest = nice(Math.max(...points.flatMap(({ ours, baseline }) => [ours, baseline])) / 1000);
  const x = (count: number) => round(left + (PANEL * count) / most);
  const y = (seconds: number) => round(TOP + HEIGHT - (HEIGHT * seconds) / longest);
  const line = (side: "ours" | "baseline") => {
    const at = points.map((point) => `${x(point.count)},${y(point[side] / 1000)}`);
    const dots = at.map((place) => {
      const [cx = "", cy = ""] = place.split(",");
      return `<circle cx="${cx}" cy="${cy}" r="3" fill="${COLOURS[side]}"/>`;
    });
    return [`<polyline points="${at.join(" ")}" fill="none" stroke="${COLOURS[side]}" stroke-width="2"/>`, ...dots];
  };
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => part * longest);
  return [
    `<text x="${left}" y="${TOP - 28}" font-size="14" font-weight="bold">${name}</text>`,
    `<text x="${left}" y="${TOP - 12}"><tspan fill="${COLOURS.ours}">ours</tspan>, <tspan fill="${COLOURS.baseline}">stock resources that do nothing</tspan></text>`,
    ...ticks.flatMap((tick) => [
      `<line x1="${left}" x2="${left + PANEL}" y1="${y(tick)}" y2="${y(tick)}" stroke="#e5e7eb"/>`,
      `<text x="${left - 6}" y="${y(tick) + 4}" text-anchor="end">${round(tick)} s</text>`,
    ]),
    ...points.map(({ count }) => `<text x="${x(count)}" y="${TOP + HEIGHT + 18}" text-anchor="middle">${count}</text>`),
    `<text x="${left + PANEL / 2}" y="${TOP + HEIGHT + 36}" text-anchor="middle">resources</text>`,
    ...line("baseline"),
    ...line("ours"),
  ];
}

/** The next round number: 1, 2, 4, 5, 8 or 10 times a power of ten. */
function nice(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 4, 5, 8, 10].find((step) => step * power >= value) ?? 10);
}

const round = (value: number): number => Math.round(value * 100) / 100;
