// /usr/bin/ndr of the package: starts the program, and for `ndr setup` the few others that it asks for.

import assert from "node:assert/strict";

const LAUNCHER = new URL("../../../debian/bin/ndr", import.meta.url).pathname;
const REQUESTS = new URL("../../../src/cli/setup/requests.ts", import.meta.url).href;

/** Runs the launcher with a program and with stand-ins for those that it may start, each of which prints its arguments. */
async function launched(
  program: string,
  args: string[],
): Promise<{ code: number; output: string; left: string[] }> {
  const folder = await Deno.makeTempDir({ prefix: "ndr-launcher-" });
  try {
    const write = async (name: string, text: string) => {
      await Deno.writeTextFile(`${folder}/${name}`, text);
      await Deno.chmod(`${folder}/${name}`, 0o755);
    };
    await write("program", program);
    await write("ndr", (await Deno.readTextFile(LAUNCHER)).replace("/usr/lib/ndr/ndr", `${folder}/program`));
    for (const name of ["syslog-ng", "systemctl"]) {
      await write(name, `#!/bin/sh\necho "${name} $*"\n[ "$2" != unbound ] || { echo "no unit"; exit 5; }\n`);
    }
    await Deno.mkdir(`${folder}/tmp`);
    const env = { PATH: `${folder}:/usr/bin:/bin`, TMPDIR: `${folder}/tmp` };
    const { code, stdout, stderr } = await new Deno.Command(`${folder}/ndr`, { args, env, stdin: "null" })
      .output();
    const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    return { code, output, left: [...Deno.readDirSync(`${folder}/tmp`)].map(({ name }) => name) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("the launcher is the program for every command but setup", async () => {
  const shell = `#!/bin/sh\necho "$$ is $PPID's; \${NDR_SETUP_REQUESTS:-nothing}; $*"\nexit 7\n`;
  const { code, output } = await launched(shell, ["core", "a b"]);
  assert.equal(code, 7);
  // The same process: systemd knows it by its number.
  assert.match(output, new RegExp(`^\\d+ is ${Deno.pid}'s; nothing; core a b\n$`));
});

Deno.test("the launcher starts what setup asks for, nothing else, and leaves nothing behind", async () => {
  const asks = `
    const { launcherPrograms } = await import("${REQUESTS}");
    const programs = launcherPrograms(Deno.env.get("NDR_SETUP_REQUESTS"));
    for (const request of ["check syslog-ng", "restart ndr.target", "restart unbound", "restart sshd", "check x; id"]) {
      console.log(JSON.stringify(await programs(request)));
    }
    Deno.exit(3);`;
  const program = `#!/bin/sh\nexec '${Deno.execPath()}' eval "$(cat <<'END'\n${asks}\nEND\n)"\n`;
  const { code, output, left } = await launched(program, ["setup", "--undo"]);
  assert.equal(code, 3, output);
  assert.deepEqual(output.trim().split("\n").map((line) => JSON.parse(line)), [
    { isDone: true, output: "syslog-ng --syntax-only" },
    { isDone: true, output: "systemctl restart ndr.target" },
    { isDone: false, output: "systemctl restart unbound\nno unit" },
    { isDone: false, output: "unknown request: restart sshd" },
    { isDone: false, output: "unknown request: check x; id" },
  ]);
  assert.deepEqual(left, []);
});
