import type { Child } from "hono/jsx";

export const PLACES = [
  { href: "/console", name: "Environment" },
  { href: "/console/requests", name: "Requests" },
  { href: "/console/break", name: "Break it" },
] as const;

export interface PageParts {
  readonly title: string;
  /** The place in the navigation that it belongs to. */
  readonly place: (typeof PLACES)[number]["href"];
  /** Its living part, and where that is asked for again. */
  readonly content: Child;
  readonly from: string;
  /** What was just done. */
  readonly notice: string | undefined;
  /** After the living part. */
  readonly forms?: Child;
}

export const PageShell = (parts: PageParts) => (
  <Document title={parts.title} script={true}>
    <a class="skip" href="#main">
      Skip to content
    </a>
    <header class="top">
      <strong>Agent platform emulator</strong>
      <nav aria-label="Console">
        {PLACES.map(({ href, name }) => (
          <a href={href} {...(href === parts.place ? { "aria-current": "page" } : {})}>
            {name}
          </a>
        ))}
      </nav>
      <p id="connection" role="status" data-connection="connecting">
        Connecting
      </p>
    </header>
    <main id="main" tabindex={-1}>
      <h1>
        <bdi>{parts.title}</bdi>
      </h1>
      {parts.notice === undefined ? null : (
        <p class="notice" role="status" data-notice="">
          {parts.notice}
        </p>
      )}
      <div id="content" data-from={parts.from}>
        {parts.content}
      </div>
      {parts.forms}
    </main>
  </Document>
);

interface Titled {
  readonly title: string;
  readonly children?: Child;
}

/** A page without any data, for who has no cookie. */
const BarePage = ({ title, children }: Titled) => (
  <Document title={title} script={false}>
    <main class="bare">
      <h1>{title}</h1>
      {children}
    </main>
  </Document>
);

const Document = ({ title, script, children }: Titled & { readonly script: boolean }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} - Agent platform emulator`}</title>
      <link rel="icon" href="/console/assets/icon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href="/console/assets/console.css" />
      {script ? <script type="module" src="/console/assets/client.js"></script> : null}
    </head>
    <body>{children}</body>
  </html>
);

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
        Press Enter in the terminal where the emulator runs (<code>npx pulumi-agent-platform emulator</code>): it prints
        one.
      </li>
      <li>
        Or ask for one with the emulator's API key:{" "}
        <code>{`sed 's/^/X-Api-Key: /' <key file> | curl -X POST -H @- ${address}/console/code`}</code>
      </li>
    </ul>
  </BarePage>
);

/** What a request gets that is refused, with a form in which that can be corrected. */
export const Refused = ({ title, reason, children }: Titled & { readonly reason: string }) => (
  <BarePage title={title}>
    <p class="problem" role="alert" data-problem="" tabindex={-1} autofocus>
      <bdi>{reason}</bdi>
    </p>
    {children}
    <p>
      <a href="/console">Back to the environment</a>
    </p>
  </BarePage>
);
