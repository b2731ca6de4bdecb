import { momentInZone, toneOfAnswer } from "../format";
import type { RequestRow, RequestsView, RequestView } from "../views";
import { Own, Pages, Region, SettingsTable, PlainTable, Time } from "./bits";

/** The request log. */
export const Requests = ({ view: { requests } }: { readonly view: RequestsView }) => (
  <Region id="requests" name="Requests" note={`newest first; ${requests.total} in the log`}>
    <RequestTable rows={requests.rows} />
    <Pages path="/console/requests" list="requests" section={requests} />
  </Region>
);

const HEAD = ["Number", "Time", "Method", "Path", "Status"];

export const RequestTable = ({ rows }: { readonly rows: readonly RequestRow[] }) => (
  <PlainTable
    id="requests"
    head={HEAD}
    rows={rows.map((row) => (
      <Row key={row.seq} row={row} />
    ))}
  />
);

const Row = ({ row }: { readonly row: RequestRow }) => (
  <tr data-request={row.seq} {...(row.fault === null ? {} : { "data-fault": row.fault })}>
    <th scope="row">
      <a href={`/console/requests/${row.seq}`}>{row.seq}</a>
    </th>
    <td>
      <Time at={row.at} />
    </td>
    <td>{row.method}</td>
    <td class="path">
      <Own text={row.path} />
    </td>
    <td>
      <AnswerStatus row={row} /> <Struck row={row} />
    </td>
  </tr>
);

const AnswerStatus = ({ row }: { readonly row: RequestRow }) => (
  <span class={`status ${toneOfAnswer(row)}`} data-status={row.status ?? "none"}>
    {row.status ?? "no answer"}
  </span>
);

const Struck = ({ row }: { readonly row: RequestRow }) =>
  row.fault === null ? null : <span class="bad">struck: {row.fault}</span>;

/** One request. */
export function OneRequest({ view }: { readonly view: RequestView }) {
  const { request, query, body, phase, tenant } = view;
  return (
    <div>
      <p class="lead">
        <span>
          {request.method} <Own text={request.path} />
        </span>{" "}
        <AnswerStatus row={request} /> <Struck row={request} />
      </p>
      <Region id="facts" name="Facts">
        <SettingsTable
          settings={[
            { path: "arrived", value: momentInZone(request.at) },
            { path: "got as far as", value: phase },
            { path: "workspace", value: tenant ?? "none: the key was unknown, or not needed" },
            ...query.map(({ parameter, value }) => ({
              path: `query ${parameter}`,
              value: value === "" ? "(empty)" : value,
            })),
          ]}
        />
      </Region>
      <Region id="body" name="Body" note="possible secrets are masked">
        {body === null ? <p class="faint">It has no body.</p> : <pre tabindex={0}>{body}</pre>}
      </Region>
    </div>
  );
}
