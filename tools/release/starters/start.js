// In a syntax that any Node reads: an old one gets this sentence, not a syntax error of the server's.
if (parseInt(process.versions.node, 10) >= 20) require("./server.js");
else {
  process.stderr.write(
    "The plugin of agent-platform needs Node 20 or newer, and the node on the PATH is " +
      process.versions.node +
      ". Install a newer one (https://nodejs.org).\n",
  );
  process.exitCode = 1;
}
