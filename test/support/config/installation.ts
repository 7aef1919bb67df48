// An installation in a folder of its own: the configuration that the package ships, with its secrets and no sensor enabled.

const SHIPPED = new URL("../../../debian/conf/", import.meta.url);
const SENSORS = ["zeek", "suricata", "netflow", "unbound"];

export interface Installation {
  folder: string;
  /** Replaces text in one of its files. */
  edit(name: string, from: string, to: string): Promise<void>;
  read(name: string): Promise<string>;
  /** The first line, from 1, of one of its files that has this text. */
  lineOf(name: string, text: string): Promise<number>;
  /** As `runNdr` and `callNdr` take it. */
  env: Record<string, string>;
}

/** `databaseUrl`: default an embedded one that does not exist. */
export async function withInstallation(
  body: (installation: Installation) => Promise<void>,
  databaseUrl?: string,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "ndr-installation-" });
  const read = (name: string) => Deno.readTextFile(`${folder}/${name}`);
  try {
    await Deno.mkdir(`${folder}/secrets`, { mode: 0o700 });
    for (const name of ["access.yaml", "sites.yaml", "sources.yaml"]) {
      await Deno.copyFile(new URL(name, SHIPPED), `${folder}/${name}`);
    }
    const shipped = await Deno.readTextFile(new URL("ndr.env", SHIPPED));
    await Deno.writeTextFile(
      `${folder}/ndr.env`,
      shipped.replaceAll("/etc/ndr/", `${folder}/`).replace(
        /^NDR_DATABASE_URL=.*$/m,
        `NDR_DATABASE_URL=${databaseUrl ?? `embedded:${folder}/database`}`,
      ),
      { mode: 0o600 },
    );
    await Deno.writeFile(`${folder}/secrets/service.key`, crypto.getRandomValues(new Uint8Array(64)), {
      mode: 0o600,
    });
    for (const sensor of SENSORS) {
      await Deno.writeTextFile(
        `${folder}/secrets/${sensor}.token`,
        crypto.getRandomValues(new Uint8Array(24)).toHex(),
        { mode: 0o600 },
      );
    }
    await body({
      folder,
      read,
      lineOf: async (name, text) =>
        (await read(name)).split("\n").findIndex((line) => line.includes(text)) + 1,
      env: { NDR_CONFIG_DIR: folder, NDR_STATE_DIR: folder },
      edit: async (name, from, to) => {
        const text = await read(name);
        if (!text.includes(from)) throw new Error(`${name} has no ${from}`);
        await Deno.writeTextFile(`${folder}/${name}`, text.replace(from, to));
      },
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
