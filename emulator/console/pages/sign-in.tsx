import type { Child } from "hono/jsx";
import { CommandLine } from "../components/bits";
import { BarePage } from "./page";

/** What a browser without a cookie sees: how to get an address that opens the console. */
export const SignIn = ({ address, isCodeWrong }: { readonly address: string; readonly isCodeWrong: boolean }) => (
  <BarePage title="This page needs a new address">
    <p>
      {isCodeWrong
        ? "The code in this address is wrong, too old or already used. Each code works once."
        : "This browser has not opened this emulator's console in the last week."}
    </p>
    <p>To get an address with a new code:</p>
    <ul>
      <li>
        Press Enter in the terminal where the emulator runs (<CommandLine text="pulumi-agent-platform emulator" /> or{" "}
        <CommandLine text="npm run platform" />
        ): it prints one.
      </li>
      <li>
        Or ask for one with the emulator's API key:{" "}
        <CommandLine text={`sed 's/^/X-Api-Key: /' <key file> | curl -X POST -H @- ${address}/console/code`} />
      </li>
    </ul>
  </BarePage>
);

interface RefusedProps {
  readonly title: string;
  readonly reason: string;
  readonly form?: Child;
}

/** What a request gets that is refused. */
export const Refused = ({ title, reason, form }: RefusedProps) => (
  <BarePage title={title}>
    <p class="problem" role="alert" data-problem="" tabindex={-1} autofocus>
      <bdi>{reason}</bdi>
    </p>
    {form}
    <p>
      <a href="/console">Back to the environment</a>
    </p>
  </BarePage>
);
