import { CommandLine } from "../components/bits";

/** The commands that show what the stack makes of a change. */
export const StackCommands = () => (
  <p class="faint commands">
    See how your stack reacts: <CommandLine text="npm run drift" /> in a checkout, <CommandLine text="pulumi refresh" />{" "}
    in a project of your own.
  </p>
);

/** The commands that meet a fault. */
export const FaultCommands = () => (
  <p class="faint commands">
    See how your stack reacts: <CommandLine text="npm start" /> or <CommandLine text="npm run drift" /> in a checkout,{" "}
    <CommandLine text="pulumi up" /> or <CommandLine text="pulumi refresh" /> in a project of your own.
  </p>
);
