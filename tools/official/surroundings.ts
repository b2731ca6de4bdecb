import { join } from "node:path";

/** The user's own settings of these clients: none of them may reach a test, least of all a real key. */
const CLIENT_SETTINGS = /^(LANGSMITH|LANGCHAIN|LANGGRAPH)_/i;
const PROXIES = /^(https?|all|no)_proxy$/i;

/** The environment of every child, cleared of what would lead it elsewhere. */
export function plainEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !CLIENT_SETTINGS.test(name) && !name.startsWith("OFFICIAL_")),
  );
}

/** What the tests add to it: a request that would leave this machine is refused at once, and nothing is written among the sources. */
export function testEnvironment(env: NodeJS.ProcessEnv, checkout: string): NodeJS.ProcessEnv {
  const nowhere = "http://127.0.0.1:9"; // The port named "discard": nothing listens there.
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !PROXIES.test(name))),
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    NO_PROXY: "127.0.0.1,localhost",
    LANGGRAPH_CLI_NO_ANALYTICS: "1",
    LANGSMITH_TRACING: "false",
    PYTHONPYCACHEPREFIX: join(checkout, ".state", "official", "pycache"),
    PYTHONUNBUFFERED: "1",
    PYTHONUTF8: "1",
  };
}
