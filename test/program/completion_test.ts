// The scripts of `ndr completion` in the real shells.

import assert from "node:assert/strict";
import { callNdr } from "../support/command.ts";

async function completed(line: string[]): Promise<string[]> {
  const { stdout: script } = await callNdr(["completion", "bash"], {});
  const words = line.map((word) => `'${word}'`).join(" ");
  const { success, stdout, stderr } = await new Deno.Command("bash", {
    args: [
      "-euc",
      `${script}\nCOMP_WORDS=(${words}) COMP_CWORD=${
        line.length - 1
      }\n_ndr\nprintf '%s\\n' "\${COMPREPLY[@]}"`,
    ],
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim().split("\n");
}

Deno.test("bash completes commands, their subcommands and options", async () => {
  assert.deepEqual(await completed(["ndr", "co"]), ["core", "config", "connectors", "completion"]);
  assert.deepEqual(await completed(["ndr", "telemetry", "s"]), ["show", "send"]);
  assert.deepEqual(await completed(["ndr", "connectors", "test", "--"]), ["--live", "--json", "--help"]);
  assert.deepEqual(await completed(["ndr", "--v"]), ["--version"]);
});

Deno.test("another shell is refused, and zsh gets a script of its own", async () => {
  assert.equal((await callNdr(["completion", "fish"], {})).code, 1);
  const { stdout } = await callNdr(["completion", "zsh"], {});
  assert.match(stdout, /^#compdef ndr\n/);
  assert.match(stdout, /\("ndr telemetry"\*\) compadd -- show send --help ;;/);
});
