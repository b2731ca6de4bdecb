// Keeps the keys of test stacks, in the words of Vault's transit engine. A passphrase takes a million rounds of hashing in each command: half of what a short one
// computes. It guards nothing: a key comes back as it was given. Ends with the process that has started it.
const { createServer } = require("node:http");
const { json } = require("node:stream/consumers");

const ANSWERS = {
  encrypt: ({ plaintext }) => ({ ciphertext: `vault:v1:${plaintext}` }),
  decrypt: ({ ciphertext }) => ({ plaintext: ciphertext.replace("vault:v1:", "") }),
};

const server = createServer(async (request, response) => {
  const answer = ANSWERS[request.url.split("/").at(-2)];
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ data: answer(await json(request)) }));
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
process.stdin.resume().on("end", () => process.exit());
