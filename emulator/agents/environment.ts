/**
 * Variables that decide which code a command runs; a star stands for any rest. The tools that find, load or trust code read them before the command itself
 * starts. A deployment may set what a command works with, but not which code runs, so only the user who starts the emulator can set these. The list
 * cannot be complete: the API key is what keeps other users out.
 */
const STEERING = [
  // The loader of programs and its library.
  "LD_* _RLD* LIBPATH SHLIB_PATH DYLD_* GLIBC_TUNABLES GCONV_PATH LOCPATH NLSPATH HOSTALIASES RES_OPTIONS LOCALDOMAIN",
  // The places of programs, their settings and their helpers.
  "PATH PATHEXT COMSPEC SYSTEMROOT WINDIR PSMODULEPATH HOME USERPROFILE APPDATA LOCALAPPDATA XDG_* TMPDIR TMP TEMP",
  "SHELL EDITOR VISUAL PAGER BROWSER LESSOPEN LESSCLOSE TERMCAP TERMINFO TERMINFO_DIRS",
  // Shells.
  "BASH* ENV SHELLOPTS IFS PS0 PS1 PS2 PS3 PS4 PROMPT_COMMAND CDPATH GLOBIGNORE ZDOTDIR FPATH NULLCMD READNULLCMD",
  // Languages, their package managers, and their version managers.
  "NODE_* TS_NODE_* TSX_* BUN_* DENO_* NPM_* YARN_* PNPM_* COREPACK_* NVM_* VOLTA_* FNM_* ELECTRON_*",
  "PYTHON* __PYVENV_LAUNCHER__ VIRTUAL_ENV CONDA_* PYENV_* PIP_* PIPX_* PIPENV_* POETRY_* UV_* PDM_* HATCH_*",
  "PERL* RUBY* GEM_* BUNDLE_* BUNDLER_* RBENV_* PHPRC PHP_* COMPOSER_* LUA_* TCLLIBPATH R_* JULIA_* ERL_* ELIXIR_* MIX_*",
  "JAVA_* _JAVA_OPTIONS JDK_* CLASSPATH MAVEN_* GRADLE_* DOTNET_* CORECLR_* COR_* COMPLUS_* NUGET_*",
  "GOROOT GOPATH GOENV GOFLAGS GOPROXY GOTOOLCHAIN GOSUMDB GONOSUMDB GOINSECURE CARGO_* RUSTUP_* RUSTC* RUSTFLAGS",
  "ASDF_* MISE_* DIRENV_* NIX_*",
  // Tools that start other programs.
  "GIT_* SSH_ASKPASS* SSH_AUTH_SOCK SUDO_* GNUPGHOME MAKEFLAGS MAKEFILES MFLAGS DOCKER_* COMPOSE_* KUBECONFIG",
  // The certificates that they trust when they fetch code.
  "SSL_CERT_FILE SSL_CERT_DIR SSLKEYLOGFILE OPENSSL_* CURL_HOME CURL_CA_BUNDLE REQUESTS_CA_BUNDLE",
  // Compilers, bundlers, browsers and databases that load or start the named code.
  "CC CXX COMPILER_PATH GCC_* TAR_OPTIONS ESBUILD_* SWC_* NAPI_RS_* PRISMA_* BABEL_* PUPPETEER_* PLAYWRIGHT_* CHROME_* OMP_TOOL* CUDA_*",
  "GTK_* ODBC* TCL* GUILE_* JUST_* RSYNC_RSH SVN_SSH HGRCPATH RIPGREP_CONFIG_PATH CELERY_CONFIG_MODULE COVERAGE_*",
  "AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES",
  // The code that agent servers load.
  "LANGSERVE_GRAPHS LANGGRAPH_AUTH LANGGRAPH_HTTP LANGGRAPH_STORE LANGGRAPH_CHECKPOINTER LANGGRAPH_ENCRYPTION",
  "GUNICORN_CMD_ARGS UVICORN_* FLASK_APP DJANGO_SETTINGS_MODULE",
].flatMap((line) => line.split(" "));

/** Exceptions: common variables that load no code. */
const HARMLESS: readonly string[] = ["NODE_ENV", "PYTHONUNBUFFERED"];

/**
 * The environment of a deployment's own agent: that of the emulator, with the variables of the deployment, but for those in `heldBack`.
 *
 * @param own The emulator's environment. Its own settings, and variables whose value is one of its `keys`, are not passed on.
 */
export function commandEnvironment(
  own: NodeJS.ProcessEnv,
  keys: readonly string[],
  variables: readonly { readonly name: string; readonly value: string }[],
) {
  const isOurs = (name: string, value = ""): boolean => name.startsWith("AGENT_PLATFORM_") || keys.includes(value);
  const kept = Object.entries(own).filter(([name, value]) => !isOurs(name, value));
  const passed = variables.filter(({ name }) => !isSteering(name));
  return {
    environment: Object.fromEntries([...kept, ...passed.map(({ name, value }) => [name, value] as const)]),
    heldBack: variables.flatMap(({ name }) => (isSteering(name) ? [name] : [])),
  };
}

function isSteering(name: string): boolean {
  // "NODE_OPTIONS=x" would become NODE_OPTIONS.
  if (!/^[\w.-]+$/.test(name)) return true;
  // npm and Windows ignore upper and lower case.
  const upper = name.toUpperCase();
  if (HARMLESS.includes(upper)) return false;
  return STEERING.some((each) => (each.endsWith("*") ? upper.startsWith(each.slice(0, -1)) : upper === each));
}
