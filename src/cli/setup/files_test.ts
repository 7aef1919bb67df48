import assert from "node:assert/strict";
import { SetupFiles } from "./files.ts";

async function withFolder(body: (root: string) => void): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "ndr-files-" });
  try {
    Deno.mkdirSync(`${root}/etc/ndr`, { recursive: true });
    body(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("all files are written or none, and nothing can be undone after a failure", () =>
  withFolder((root) => {
    Deno.writeTextFileSync(`${root}/etc/ndr/a`, "old");
    Deno.writeTextFileSync(`${root}/etc/file`, "no folder");
    const files = new SetupFiles(root, "/etc/ndr");
    const changes = ["/etc/ndr/a", "/etc/file/b"].map((path) => ({ path, text: "new", what: "" }));
    assert.throws(() => files.write(changes));
    assert.equal(files.read("/etc/ndr/a"), "old");
    const names = [...Deno.readDirSync(`${root}/etc/ndr`)].map(({ name }) => name).sort();
    assert.deepEqual(names, ["a", "a.before-setup"]);
    assert.equal(files.undo(), null);
  }));

Deno.test("mode, link and owner of a file stay, and a new file is removed by the undo", () =>
  withFolder((root) => {
    Deno.writeTextFileSync(`${root}/etc/real`, "old");
    Deno.chmodSync(`${root}/etc/real`, 0o640);
    Deno.symlinkSync("../real", `${root}/etc/ndr/link`);
    if (Deno.uid() === 0) Deno.chownSync(`${root}/etc/real`, 12_345, 23_456);
    const before = Deno.statSync(`${root}/etc/real`);
    const files = new SetupFiles(root, "/etc/ndr");
    const unchanged = () => {
      assert.ok(Deno.lstatSync(`${root}/etc/ndr/link`).isSymlink);
      const { mode, uid, gid } = Deno.statSync(`${root}/etc/ndr/link`);
      assert.deepEqual({ mode, uid, gid }, { mode: before.mode, uid: before.uid, gid: before.gid });
    };
    files.write([
      { path: "/etc/ndr/link", text: "new", what: "" },
      { path: "/etc/other/new.conf", text: "secret", what: "", mode: 0o600 },
    ]);
    assert.equal(files.read("/etc/ndr/link"), "new");
    unchanged();
    assert.equal(Deno.statSync(`${root}/etc/other/new.conf`).mode! & 0o777, 0o600);
    assert.deepEqual(files.undo(), {
      restored: ["/etc/ndr/link"],
      removed: ["/etc/other/new.conf"],
      left: [],
    });
    assert.equal(files.read("/etc/ndr/link"), "old");
    unchanged();
    assert.equal(files.read("/etc/other/new.conf"), null);
  }));
