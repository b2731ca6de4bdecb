import type { LimitView, RequestsView } from "../views";

const [WIDTH, HEIGHT] = [300, 40];

/** Each row of the limits table that governed a request, with its last five minutes. */
export function LimitRows({ view }: { readonly view: RequestsView }) {
  const { limits, rowsWithout } = view;
  const rest = `${rowsWithout} rows of the table applied to no request`;
  if (limits.length === 0) return <p class="faint">{rest}.</p>;
  return (
    <div>
      <div class="scroll">
        <table aria-labelledby="limits" class="limits">
          <thead>
            <tr>
              {["Row", "Limit", "Now", "At most", "Refused", "Last five minutes"].map((title, index) => (
                <th key={title} scope="col" class={index > 0 && index < 5 ? "figure" : ""}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {limits.map((row) => (
              <Row key={`${row.category} ${row.identity}`} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="faint">Requests of all keys, within the interval of each row. {rest}.</p>
    </div>
  );
}

function Row({ row }: { readonly row: LimitView }) {
  const most = Math.max(0, ...row.points);
  return (
    <tr data-limit={row.category}>
      <th scope="row">
        {row.category} <span class="faint">by {row.identity}</span>
      </th>
      <td class="figure" data-label="Limit">
        {row.count} in {row.seconds} s
      </td>
      <td class="figure" data-label="Now">
        {row.points.at(-1) ?? 0}
      </td>
      <td class="figure" data-label="At most">
        {most}
      </td>
      <td class="figure" data-label="Refused">
        {row.refused}
      </td>
      <td data-label="Last five minutes">
        <Chart row={row} most={most} />
      </td>
    </tr>
  );
}

/** The line of the requests under the line of the limit, which is left out where it is far away. */
function Chart({ row: { points, count }, most }: { readonly row: LimitView; readonly most: number }) {
  const isNear = most * 4 >= count;
  const top = isNear ? Math.max(count, most) : Math.max(1, most);
  const y = (value: number): string => (2 + (1 - value / top) * (HEIGHT - 4)).toFixed(1);
  const line = points
    .map((value, index) => `${((index / (points.length - 1)) * WIDTH).toFixed(1)},${y(value)}`)
    .join(" ");
  const said = `${points.at(-1) ?? 0} now, at most ${most}, limit ${count}`;
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={said}>
      {isNear ? <line class="limit" x1="0" y1={y(count)} x2={WIDTH} y2={y(count)} /> : null}
      <polyline class="line" points={line} />
    </svg>
  );
}
