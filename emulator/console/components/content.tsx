import type { SwitchedOn, View } from "../views";
import { Environment } from "./environment";
import { OneObject } from "./object";
import { OneRequest, Requests } from "./requests";

/** The living part of each page: what is switched on, and what it shows. */
export const PageContent = ({ view }: { readonly view: View }) => (
  <div>
    <SwitchedOnList switchedOn={view.switchedOn} />
    <Content view={view} />
  </div>
);

function Content({ view }: { readonly view: View }) {
  switch (view.kind) {
    case "environment":
      return <Environment view={view} />;
    case "object":
      return <OneObject view={view} />;
    case "gone":
      return (
        <p class="empty" data-empty="">
          {view.what} <a href="/console">Back to the environment</a>
        </p>
      );
    case "requests":
      return <Requests view={view} />;
    case "request":
      return <OneRequest view={view} />;
    case "break":
      return null;
  }
}

/** What is switched on, on every page. */
function SwitchedOnList({ switchedOn }: { readonly switchedOn: readonly SwitchedOn[] }) {
  if (switchedOn.length === 0) return null;
  return (
    <section class="switched-on" aria-label="Switched on">
      <ul>
        {switchedOn.map(({ id, what, detail, isSpent, off, release }) => (
          <li key={id} data-switched-on={id} class={isSpent ? "faint" : ""}>
            <strong>{what}</strong> <bdi>{detail}</bdi>{" "}
            {release === undefined ? null : <Switch to={release} label="Release" what={what} />}
            <Switch to={off} label="Switch off" what={what} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const Switch = ({ to, label, what }: { readonly to: string; readonly label: string; readonly what: string }) => (
  <form method="post" action={to}>
    <button type="submit">
      {label}
      <span class="visually-hidden"> {what}</span>
    </button>
  </form>
);
