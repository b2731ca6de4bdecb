import { plainEnvironment, testEnvironment } from "./environment";

test("no setting of the user's reaches the clients: a key of theirs would go to a test", () => {
  const env = { PATH: "/bin", LANGSMITH_API_KEY: "canary", LANGGRAPH_HOST_URL: "https://real", OFFICIAL_URL: "x" };
  expect(plainEnvironment(env)).toEqual({ PATH: "/bin" });
});

test("a request that would leave this machine meets a closed port, whatever proxies the user has", () => {
  const env = testEnvironment({ PATH: "/bin", https_proxy: "http://proxy:80", ALL_PROXY: "socks5://proxy" }, "/python");
  expect(env).toMatchObject({ PATH: "/bin", HTTPS_PROXY: "http://127.0.0.1:9", NO_PROXY: "127.0.0.1,localhost" });
  expect(Object.keys(env)).not.toEqual(expect.arrayContaining(["https_proxy"]));
  expect(Object.keys(env)).not.toEqual(expect.arrayContaining(["ALL_PROXY"]));
});

test("what Python has compiled is kept, whatever the user's settings: each client is a process of its own", () => {
  const env = testEnvironment({ PATH: "/bin", PYTHONDONTWRITEBYTECODE: "1" }, "/python");
  expect(env).toMatchObject({ PYTHONDONTWRITEBYTECODE: "", PYTHONPYCACHEPREFIX: "/python/pycache" });
});
