import assert from "node:assert/strict";
import { GroupProcess } from "./process.ts";

function run(code: string, silenceMs = 60_000) {
  return new GroupProcess({ args: ["eval", "--no-lock", code], env: { NO_COLOR: "1" } }, silenceMs, false)
    .ended;
}

Deno.test("collects the output of a program and reports its exit status", async () => {
  const ended = await run("console.log('out'); console.error('err'); Deno.exit(3)");
  assert.deepEqual([ended.success, ended.status], [false, "3"]);
  assert.deepEqual(ended.output.split("\n").sort(), ["", "err", "out"]);
  assert.equal((await run("console.log('out')")).success, true);
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
  const stat = await Deno.readTextFile(`/proc/${output.trim()}/stat`).catch(() => "(sleep) Z");
  assert.match(stat, /\(sleep\) [ZX]/);
});
