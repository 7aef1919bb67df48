import assert from "node:assert/strict";
import { GroupProcess } from "./process.ts";

function run(code: string, silenceMs = 60_000) {
  // Without the configuration of this project, whose packages a first start would report.
  const env = { NO_COLOR: "1", DENO_NO_PACKAGE_JSON: "1" };
  return new GroupProcess({ args: ["eval", "--no-config", "--no-lock", code], env }, silenceMs, false).ended;
}

Deno.test("collects the output of a program and reports its exit status", async () => {
  const ended = await run("console.log('out'); console.error('err'); Deno.exit(3)");
  assert.deepEqual([ended.success, ended.status], [false, "3"]);
  assert.deepEqual(ended.output.split("\n").sort(), ["", "err", "out"]);
  assert.equal((await run("console.log('out')")).success, true);
});

Deno.test("reports the processor time of a program and of those it waited for", async () => {
  const busy = "let sum = 0; for (let at = 0; at < 1e9; at++) sum += at; console.log(sum);";
  const { processorSeconds: own } = await run(busy);
  const { processorSeconds: child } = await run(`
    new Deno.Command(Deno.execPath(), { args: ["eval", "--no-config", ${
    JSON.stringify(busy)
  }] }).outputSync();`);
  const { processorSeconds: idle } = await run("await new Promise((resolve) => setTimeout(resolve, 600));");
  if (Deno.build.os === "linux") assert.ok(Math.min(own, child) > idle, `${own} ${child} ${idle}`);
});

Deno.test("kills a program that prints nothing for too long", async () => {
  const ended = await run("setInterval(() => {}, 1000)", 200);
  assert.deepEqual([ended.success, ended.silent], [false, true]);
});

Deno.test("ends what a program leaves running", async () => {
  const { output } = await run(`
    const { pid } = new Deno.Command("sleep", { args: ["60"], stdout: "inherit" }).spawn();
    console.log(pid);
    Deno.exit(0);`);
  // A killed process disappears once it is scheduled and reaped.
  const deadline = performance.now() + 10_000;
  while (performance.now() < deadline) {
    const stat = await Deno.readTextFile(`/proc/${output.trim()}/stat`).catch(() => null);
    if (stat === null || /\(sleep\) [ZX]/.test(stat)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail("the program still runs");
});
