// Runs several test files in one isolate, because loading the program into one takes longer than most tests:
//
//     deno test -A test/support/runner/together.ts -- test/store/flow/a_test.ts test/store/flow/b_test.ts
//
// Each test is named for its file, and fails if it leaves the environment or a global function changed.

import { inFile } from "./in-file.ts";

const ROOT = new URL("../../../", import.meta.url).href;
const register = Deno.test;

for (const file of Deno.args) {
  let count = 0;
  const add = (test: Deno.TestDefinition) => {
    count++;
    register({ ...test, name: inFile(file, test.name), fn: tidy(test.fn) });
  };
  const only = (test: Deno.TestDefinition) => add({ ...test, only: true });
  const ignore = (test: Deno.TestDefinition) => add({ ...test, ignore: true });
  const test = Object.assign(taking(add), register, { only: taking(only), ignore: taking(ignore) });
  Object.defineProperty(Deno, "test", { value: test, configurable: true });
  try {
    await import(ROOT + file);
    if (count === 0) add({ name: "has tests", fn: () => fail(new Error(`${file} has no tests`)) });
  } catch (error) {
    add({ name: "loads", fn: () => fail(error) });
  }
}

type Body = Deno.TestDefinition["fn"];

/** Accepts a test in each form in which `Deno.test` does. */
function taking(add: (test: Deno.TestDefinition) => void) {
  return (...args: (string | Body | Partial<Deno.TestDefinition>)[]) => {
    const name = args.find((arg) => typeof arg === "string");
    const fn = args.find((arg) => typeof arg === "function");
    const options = args.find((arg) => typeof arg === "object");
    const test = { ...fn && { name: fn.name, fn }, ...options, ...name !== undefined && { name } };
    add(test as Deno.TestDefinition);
  };
}

/** A test that fails if it leaves behind what the tests of the next file would see. */
function tidy(body: Body): Body {
  return async (context) => {
    const [env, globals] = [environment(), GLOBALS.map((name) => globalThis[name])];
    await body(context);
    if (environment() !== env) fail(new Error("it leaves an environment variable or the folder changed"));
    const changed = GLOBALS.filter((name, at) => globalThis[name] !== globals[at]);
    if (changed.length > 0) fail(new Error(`it leaves ${changed.join(", ")} changed`));
  };
}

const GLOBALS = ["fetch", "Date", "setTimeout", "setInterval", "console", "crypto", "WebSocket"] as const;

function environment(): string {
  return JSON.stringify([Deno.cwd(), Object.entries(Deno.env.toObject()).sort()]);
}

function fail(error: unknown): never {
  throw error;
}
