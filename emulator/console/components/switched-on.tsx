import type { switchedOn } from "../model/switched-on";

export function SwitchedOn({ list }: { readonly list: ReturnType<typeof switchedOn> }) {
  if (list.length === 0) return null;
  return (
    <section class="switched-on" aria-label="Switched on">
      <ul>
        {list.map(({ id, what, detail, isSpent, off, release }) => (
          <li data-switched-on={id} data-key={id} class={isSpent ? "faint" : ""}>
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
