// The front of all stacks whose test names none: see tests/support/cli-stack.ts.
process.env.FRONT = "native";
