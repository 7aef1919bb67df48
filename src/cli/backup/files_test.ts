import assert from "node:assert/strict";
import type { ArchiveWriter } from "./archive-writer.ts";
import { addFiles } from "./files.ts";

Deno.test("a backup leaves out what setup and restore kept of earlier configurations", async () => {
  const configuration = await Deno.makeTempDir();
  try {
    const kept = [".setup.json", "ndr.env.before-setup", "sources.yaml.before-restore"];
    for (const name of ["ndr.env", "sources.yaml", ...kept]) {
      await Deno.writeTextFile(`${configuration}/${name}`, name);
    }
    const archive = { add: () => Promise.resolve() } as unknown as ArchiveWriter;
    const added = await addFiles(archive, { configuration, state: `${configuration}/none` });
    assert.deepEqual(added.map(({ name }) => name), ["configuration/ndr.env", "configuration/sources.yaml"]);
  } finally {
    await Deno.remove(configuration, { recursive: true });
  }
});
