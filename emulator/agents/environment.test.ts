import { commandEnvironment } from "./environment";

const passedOn = (variables: Readonly<Record<string, string>>, own: NodeJS.ProcessEnv = {}, keys: string[] = []) =>
  commandEnvironment(
    own,
    keys,
    Object.entries(variables).map(([name, value]) => ({ name, value })),
  );

test.each<[reader: string, names: string]>([
  ["the loader of programs", "LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES GCONV_PATH GLIBC_TUNABLES"],
  ["whoever looks for programs and settings", "PATH Path HOME XDG_CONFIG_HOME TMPDIR COMSPEC PATHEXT BROWSER EDITOR"],
  ["a shell", "BASH_ENV ENV SHELLOPTS BASHOPTS PS4 IFS CDPATH ZDOTDIR PROMPT_COMMAND BASH_FUNC_node%%"],
  ["Node", "NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_COMPILE_CACHE TS_NODE_COMPILER BUN_OPTIONS DENO_DIR"],
  ["Python", "PYTHONPATH PYTHONSTARTUP PYTHONHOME PYTHONINSPECT PYTHONUSERBASE PYTHONBREAKPOINT VIRTUAL_ENV"],
  ["languages", "PERL5OPT PERL5LIB RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS _JAVA_OPTIONS CLASSPATH DOTNET_STARTUP_HOOKS"],
  ["installers", "npm_config_registry NPM_CONFIG_PREFIX YARN_RC_FILENAME UV_INDEX_URL PIP_INDEX_URL GOFLAGS GEM_HOME"],
  ["tools", "GIT_SSH_COMMAND GIT_CONFIG_COUNT SSH_ASKPASS MAKEFLAGS DOCKER_HOST LESSOPEN"],
  ["whoever checks where code comes from", "SSL_CERT_FILE SSL_CERT_DIR OPENSSL_CONF CURL_CA_BUNDLE REQUESTS_CA_BUNDLE"],
  ["an agent server", "LANGSERVE_GRAPHS LANGGRAPH_AUTH LANGGRAPH_HTTP LANGGRAPH_STORE GUNICORN_CMD_ARGS"],
])("what %s reads keeps the value that the emulator has, if any", (_reader, text) => {
  const names = text.split(" ");
  const variables = Object.fromEntries(names.map((name) => [name, "theirs"]));
  expect(passedOn(variables)).toEqual({ environment: {}, heldBack: names });
  const own = Object.fromEntries(names.map((name) => [name, "mine"]));
  expect(passedOn(variables, own)).toEqual({ environment: own, heldBack: names });
});

test.each(["NODE_OPTIONS=-r x.js;", "LD_PRELOAD=", "a\0b", "f()", ""])(
  "a name that would become another one is held back: %j",
  (name) => {
    expect(passedOn({ [name]: "x" })).toEqual({ environment: {}, heldBack: [name] });
  },
);

test("what a deployment works with is passed on, and wins", () => {
  const variables = {
    OPENAI_API_KEY: "theirs",
    ...{
      GOOGLE_API_KEY: "g",
      GITHUB_TOKEN: "t",
      DATABASE_URL: "d",
      MODEL_PATH: "p",
      HTTPS_PROXY: "h",
      ENVIRONMENT: "e",
    },
    ...{ NODE_ENV: "production", PYTHONUNBUFFERED: "1", LANGGRAPH_DEFAULT_RECURSION_LIMIT: "5", "dotted.name-1": "x" },
  };
  expect(passedOn(variables, { OPENAI_API_KEY: "mine", LANG: "C" })).toEqual({
    environment: { LANG: "C", ...variables },
    heldBack: [],
  });
});

test("the emulator's own settings and its keys, whatever variable they came from, are not the command's", () => {
  const own = {
    AGENT_PLATFORM_BASE_URL: "x",
    AGENT_PLATFORM_EMULATOR_API_KEY: "y",
    MY_KEY: "key-1",
    COPY: "key-2",
    A: "b",
  };
  expect(passedOn({}, own, ["key-1", "key-2"])).toEqual({ environment: { A: "b" }, heldBack: [] });
});
