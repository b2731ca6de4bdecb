import { Command } from "../components/bits";

/** The commands that show what the stack makes of a change. */
export const StackCommands = () => (
  <p class="faint commands">
    See how your stack reacts: <Command text="npm run drift" /> in a checkout, <Command text="pulumi refresh" /> in a
    project of your own.
  </p>
);

/** The commands that meet a fault. */
export const FaultCommands = () => (
  <p class="faint commands">
    See how your stack reacts: <Command text="npm start" /> or <Command text="npm run drift" /> in a checkout,{" "}
    <Command text="pulumi up" /> or <Command text="pulumi refresh" /> in a project of your own.
  </p>
);
