import type { View } from "../views";
import { PageContent, PageLead, SwitchedOnList } from "./content";

/** Where the living parts of a page are, for the script that keeps them alive. */
export const LIVE = { lead: "lead", content: "content", switchedOn: "switched-on", connection: "connection" } as const;

export const LiveContent = ({ view, now }: { readonly view: View; readonly now: number }) => (
  <div id={LIVE.content}>
    <PageContent view={view} now={now} />
  </div>
);

export const LiveLead = ({ view }: { readonly view: View }) => (
  <div id={LIVE.lead}>
    <PageLead view={view} />
  </div>
);

export const LiveSwitchedOn = ({ view }: { readonly view: View }) => (
  <div id={LIVE.switchedOn}>
    <SwitchedOnList switchedOn={view.switchedOn} />
  </div>
);
