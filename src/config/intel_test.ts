import assert from "node:assert/strict";
import { Faults, formatFault } from "./yaml/faults.ts";
import { intelStamp, readIntelFiles } from "./intel.ts";

interface Folder {
  dir: string;
  path(name: string): string;
  write(name: string, content: string | Uint8Array): void;
}

/** Runs a test with a configuration folder that has an empty folder `intel`. */
function withFolder(test: (folder: Folder) => void): () => void {
  return () => {
    const dir = Deno.makeTempDirSync();
    const path = (name: string) => `${dir}/intel/${name}`;
    Deno.mkdirSync(`${dir}/intel`);
    try {
      test({
        dir,
        path,
        write: (name, content) =>
          Deno.writeFileSync(
            path(name),
            typeof content === "string" ? new TextEncoder().encode(content) : content,
          ),
      });
    } finally {
      Deno.removeSync(dir, { recursive: true });
    }
  };
}

function read({ dir }: Folder, maxBytes?: number): { lists: Record<string, string>; faults: string[] } {
  const faults = new Faults();
  const lists: Record<string, string> = {};
  for (const { name, pieces } of readIntelFiles(dir, faults, maxBytes)) lists[name] = [...pieces].join("");
  return { lists, faults: faults.list.map((fault) => formatFault(fault).replaceAll(`${dir}/`, "")) };
}

Deno.test(
  "lists are read by name, links included; folders and leftovers are not",
  withFolder((folder) => {
    folder.write("b.txt", "evil.example\n");
    folder.write("a.CSV", "ip\n198.51.100.7");
    folder.write("empty.list", "");
    Deno.mkdirSync(folder.path("sub.txt"));
    folder.write("sub.txt/c.txt", "never.example");
    for (const name of [".hidden.txt", "b.txt~", "b.txt.tmp", "b.txt.dpkg-old", "README", "readme.md"]) {
      folder.write(name, "x");
    }
    Deno.writeTextFileSync(`${folder.dir}/elsewhere`, "linked.example");
    Deno.symlinkSync(`${folder.dir}/elsewhere`, folder.path("link.txt"));
    assert.deepEqual(read(folder), {
      lists: {
        "a.CSV": "ip\n198.51.100.7",
        "b.txt": "evil.example\n",
        "empty.list": "",
        "link.txt": "linked.example",
      },
      faults: [],
    });
    assert.deepEqual(Object.keys(read(folder).lists), ["a.CSV", "b.txt", "empty.list", "link.txt"]);
  }),
);

Deno.test(
  "unreadable files are faults that keep the others",
  withFolder((folder) => {
    folder.write("good.txt", "evil.example");
    folder.write("large.txt", "x".repeat(100));
    folder.write("feed.json", "{}");
    Deno.symlinkSync(folder.path("nowhere"), folder.path("broken.txt"));
    const { lists, faults } = read(folder, 99);
    assert.deepEqual(lists, { "good.txt": "evil.example" });
    assert.equal(faults.length, 3);
    assert.match(faults[0]!, /^intel\/broken\.txt: expected a readable file, but No such file/);
    assert.match(
      faults[1]!,
      /^intel\/feed\.json: expected a name that ends in \.txt, \.csv, .*; the file is not read$/,
    );
    assert.equal(faults[2], "intel/large.txt: expected a list of at most 99 bytes, got 100; it is not read");
  }),
);

Deno.test(
  "a file that disappears between listing and reading is a fault",
  withFolder((folder) => {
    folder.write("a.txt", "evil.example");
    folder.write("b.txt", "bad.example");
    const faults = new Faults();
    const names: string[] = [];
    for (const { name, pieces } of readIntelFiles(folder.dir, faults)) {
      if (name === "a.txt") Deno.removeSync(folder.path("a.txt"));
      names.push(`${name}: ${[...pieces].join("")}`);
    }
    assert.deepEqual(names, ["a.txt: ", "b.txt: bad.example"]);
    assert.match(formatFault(faults.list[0]!), /a\.txt: expected a readable file, but No such file/);
  }),
);

Deno.test(
  "a special file is never opened: it would block",
  withFolder((folder) => {
    const { success } = new Deno.Command("mkfifo", { args: [folder.path("pipe.txt")] }).outputSync();
    assert.ok(success);
    assert.deepEqual(read(folder).faults, ["intel/pipe.txt: expected a regular file or a link to one"]);
  }),
);

Deno.test(
  "a text comes in pieces of whole characters, and invalid bytes do not end it",
  withFolder((folder) => {
    const text = "é".repeat(300_000);
    folder.write("a.txt", text);
    folder.write("b.txt", Uint8Array.of(0x61, 0xff, 0x62));
    assert.deepEqual(read(folder).lists, { "a.txt": text, "b.txt": "a\ufffdb" });
  }),
);

Deno.test("without the folder there are no lists and no faults", () => {
  const dir = Deno.makeTempDirSync();
  const faults = new Faults();
  assert.deepEqual([...readIntelFiles(dir, faults)], []);
  assert.deepEqual(faults.list, []);
  assert.equal(intelStamp(dir), "");
  Deno.removeSync(dir);
});

Deno.test(
  "the stamp changes when a list is added, removed, written or replaced",
  withFolder((folder) => {
    const seen = [intelStamp(folder.dir)];
    const isNew = () => {
      const stamp = intelStamp(folder.dir);
      const known = seen.includes(stamp);
      seen.push(stamp);
      return !known;
    };
    assert.ok(!isNew());
    folder.write("a.txt", "evil.example");
    assert.ok(isNew());
    assert.ok(!isNew());
    folder.write("a.txt", "evil.example\nbad.example");
    assert.ok(isNew());
    Deno.utimeSync(folder.path("a.txt"), 1, 1);
    assert.ok(isNew());
    // Same size and time, as a tool may replace it.
    folder.write("new.tmp", "evil.example\nbad.exampla");
    Deno.utimeSync(folder.path("new.tmp"), 1, 1);
    Deno.renameSync(folder.path("new.tmp"), folder.path("a.txt"));
    assert.ok(isNew());
    Deno.renameSync(folder.path("a.txt"), folder.path("b.txt"));
    assert.ok(isNew());
  }),
);
