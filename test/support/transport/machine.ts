// A machine with the package installed, below a folder.

import { walkFiles } from "../files.ts";

const DEBIAN = new URL("../../../debian/", import.meta.url).pathname;
/** Where the package installs the transports. */
export const TRANSPORT = "/usr/share/doc/ndr/examples/transport";

/** A machine below a folder: the package, and these empty files. */
export async function withMachine(
  present: readonly string[],
  body: (root: string) => Promise<void>,
): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "ndr-machine-" });
  const write = async (path: string, text = "") => {
    await Deno.mkdir(`${root}${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${root}${path}`, text);
  };
  try {
    for (const file of ["ndr.env", "sites.yaml", "access.yaml", "sources.yaml"]) {
      await write(`/etc/ndr/${file}`, await Deno.readTextFile(`${DEBIAN}conf/${file}`));
    }
    await write("/etc/ndr/secrets/service.key", "k".repeat(64));
    for (const sensor of ["zeek", "suricata", "netflow", "unbound"]) {
      await write(`/etc/ndr/secrets/${sensor}.token`, `the-token-of-the-sensor-${sensor}`);
    }
    for await (const path of walkFiles(`${DEBIAN}transport`)) {
      await write(path.replace(`${DEBIAN}transport`, TRANSPORT), await Deno.readTextFile(path));
    }
    for (const path of present) await write(path);
    await body(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/**
 * The machine's syslog-ng configuration, moved into a folder of its own; returns the arguments that name it. `changes` of
 * its text must apply.
 */
export async function movedSyslogNg(
  root: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const moved = `${root}/moved`;
  for await (const path of walkFiles(`${root}/etc/syslog-ng`)) {
    const to = path.replace(`${root}/etc/syslog-ng`, moved);
    await Deno.mkdir(to.replace(/\/[^/]*$/, ""), { recursive: true });
    let text = (await Deno.readTextFile(path)).replaceAll("/etc/syslog-ng", moved);
    for (const [from, by] of Object.entries(changes)) text = text.replaceAll(from, by);
    await Deno.writeTextFile(to, text);
  }
  await Deno.writeTextFile(`${moved}/main.conf`, `@version: 3.38\n@include "${moved}/conf.d/ndr.conf"\n`);
  const paths = ["persist-file", "control", "pidfile"].map((name) => `--${name}=${moved}/${name}`);
  return ["--no-caps", `--cfgfile=${moved}/main.conf`, ...paths];
}
