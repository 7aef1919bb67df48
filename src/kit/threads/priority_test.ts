import assert from "node:assert/strict";

const PRIORITY = new URL("./priority.ts", import.meta.url).href;

/** Niceness of the first thread, of one that takes its turn, of one that does not, and whether going first was allowed. */
interface Seen {
  allowed: boolean;
  first: number;
  withOthers: number;
  beside: number;
}

const PROGRAM = `
import { getPriority } from "node:os";
import { goFirst } from ${JSON.stringify(PRIORITY)};
const thread = (source) => new Promise((resolve) => {
  const worker = new Worker("data:text/javascript," + encodeURIComponent(source), { type: "module" });
  worker.onmessage = ({ data }) => { worker.terminate(); resolve(data); };
});
const ask = "import { getPriority } from 'node:os'; self.postMessage(getPriority());";
const allowed = goFirst();
console.log(JSON.stringify({
  allowed,
  first: getPriority(),
  withOthers: await thread("import { goWithOthers } from '${PRIORITY}'; goWithOthers();" + ask),
  beside: await thread(ask),
}));
`;

async function run(niceness: number): Promise<Seen> {
  const { stdout, success, stderr } = await new Deno.Command("nice", {
    args: ["-n", String(niceness), Deno.execPath(), "eval", "--no-lock", PROGRAM],
    cwd: new URL("../../..", import.meta.url).pathname,
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** What another program finds: without a command `nice` tells its own niceness, whether or not it could change it. */
async function mayGoFirst(): Promise<boolean> {
  const { stdout } = await new Deno.Command("nice", { args: ["-n", "-10", "nice"], stderr: "null" }).output();
  return new TextDecoder().decode(stdout).trim() === "-10";
}

const linux = Deno.build.os === "linux";

Deno.test({
  name: "priority: the first thread goes first where it is allowed to, and those beside it take their turn",
  ignore: !linux,
  async fn() {
    const { allowed, first, withOthers, beside } = await run(0);
    assert.equal(first, allowed ? -10 : 0);
    assert.equal(withOthers, 0);
    assert.equal(beside, first);
    assert.equal(allowed, await mayGoFirst());
  },
});

Deno.test({
  name: "priority: a niceness that somebody chose for the program stays",
  ignore: !linux,
  async fn() {
    assert.deepEqual(await run(7), { allowed: false, first: 7, withOthers: 7, beside: 7 });
  },
});

Deno.test({
  name: "priority: where the system refuses even the question, all goes on as it was",
  ignore: !linux,
  async fn() {
    const program = `import { goFirst, goWithOthers } from ${JSON.stringify(PRIORITY)};
      console.log(goFirst(), goWithOthers());`;
    const { stdout, stderr, success } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-lock", "--deny-sys", `data:text/javascript,${encodeURIComponent(program)}`],
      cwd: new URL("../../..", import.meta.url).pathname,
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
    assert.equal(new TextDecoder().decode(stdout).trim(), "false undefined");
  },
});
