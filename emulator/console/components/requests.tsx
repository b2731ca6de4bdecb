import { toneOfAnswer } from "../format";
import type { requestPage, RequestRow, requests } from "../model/requests";
import { Own, Pages, Region, SettingsTable, PlainTable, Time } from "./bits";

export const Requests = ({ view }: { readonly view: ReturnType<typeof requests> }) => (
  <Region id="requests" name="Requests" note={`newest first; ${view.total} in the log`}>
    <RequestTable rows={view.rows} />
    <Pages path="/console/requests" list="requests" section={view} />
  </Region>
);

const HEAD = ["Number", "Time", "Method", "Path", "Status"];

export const RequestTable = ({ rows }: { readonly rows: readonly RequestRow[] }) => (
  <PlainTable
    id="requests"
    head={HEAD}
    rows={rows.map((row) => (
      <tr data-request={row.seq} data-key={row.seq} data-fault={row.fault ?? undefined}>
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
    ))}
  />
);

const AnswerStatus = ({ row }: { readonly row: RequestRow }) => (
  <span class={`status ${toneOfAnswer(row.status)}`} data-status={row.status ?? "none"}>
    {row.status ?? "no answer"}
  </span>
);

const Struck = ({ row }: { readonly row: RequestRow }) =>
  row.fault === null ? null : <span class="bad">struck: {row.fault}</span>;

export function OneRequest({ view }: { readonly view: NonNullable<ReturnType<typeof requestPage>> }) {
  const { request, query, body, phase, tenant } = view;
  return (
    <div>
      <p class="lead">
        <span>
          {request.method} <Own text={request.path} />
        </span>{" "}
        <AnswerStatus row={request} /> <Struck row={request} /> <Time at={request.at} />
      </p>
      <Region id="facts" name="Facts">
        <SettingsTable
          settings={[
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
