// The installation identifier as specified in the interface document, with real files and real processes.

import assert from "node:assert/strict";
import { INSTALL_ID } from "../../../src/contract/telemetry/heartbeat.ts";
import { ensureInstallId, INSTALL_ID_FILE, readInstallId } from "../../../src/telemetry/install-id.ts";

const CHILD = new URL("../../support/telemetry/install-id-child.ts", import.meta.url).pathname;
const ID = `ins_${"0123456789abcdef".repeat(2)}`;

const owner = Deno.uid();

async function withFolder(body: (directory: string) => Promise<void>): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "ndr-install-id-" });
  try {
    await body(directory);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

function names(directory: string): string[] {
  return [...Deno.readDirSync(directory)].map(({ name }) => name).sort();
}

async function put(directory: string, content: string, mode = 0o600): Promise<string> {
  const path = `${directory}/${INSTALL_ID_FILE}`;
  await Deno.writeTextFile(path, content, { mode });
  await Deno.chmod(path, mode);
  return path;
}

/**
 * Starts the processes, releases all of them at once, and returns the identifiers each one got per folder.
 */
async function startAtOnce(processes: number, folders: string[], permissions: string[]) {
  const children = Array.from({ length: processes }, () =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", "--quiet", ...permissions, CHILD, ...folders],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn());
  const outputs = children.map((child) => child.stdout.pipeThrough(new TextDecoderStream()).getReader());
  for (const output of outputs) assert.match((await output.read()).value ?? "", /^ready/);
  await Promise.all(children.map((child) => child.stdin.close()));
  const results: { id: string | null; problem: string | null }[][] = [];
  for (const [at, output] of outputs.entries()) {
    let text = "";
    for (let part = await output.read(); !part.done; part = await output.read()) text += part.value;
    results.push(JSON.parse(text));
    assert.equal((await children[at]!.status).code, 0);
  }
  return results;
}

Deno.test("install-id: `ins_` and 32 lower-case hex characters, mode 0600, owned by the service user", async () => {
  await withFolder(async (directory) => {
    const { id, problem } = await ensureInstallId({ directory, owner });
    assert.match(id!, INSTALL_ID);
    assert.equal(problem, null);
    const path = `${directory}/${INSTALL_ID_FILE}`;
    const info = await Deno.stat(path);
    assert.equal(info.mode! & 0o7777, 0o600);
    assert.equal(info.uid, owner);
    assert.equal(await Deno.readTextFile(path), id);
    assert.deepEqual(names(directory), [INSTALL_ID_FILE], "no draft remains");
  });
});

Deno.test("install-id: 0600 regardless of the process's umask", async () => {
  for (const mask of [0o000, 0o077, 0o277]) {
    const before = Deno.umask(mask);
    try {
      await withFolder(async (directory) => {
        await Deno.chmod(directory, 0o700);
        assert.equal((await ensureInstallId({ directory, owner })).problem, null, mask.toString(8));
      });
    } finally {
      Deno.umask(before);
    }
  }
});

Deno.test("install-id: written once; another start finds it and writes nothing", async () => {
  await withFolder(async (directory) => {
    const first = await ensureInstallId({ directory, owner });
    const { ino, mtime } = await Deno.stat(`${directory}/${INSTALL_ID_FILE}`);
    assert.deepEqual(await ensureInstallId({ directory, owner }), first);
    assert.deepEqual(await readInstallId({ directory, owner }), first);
    const after = await Deno.stat(`${directory}/${INSTALL_ID_FILE}`);
    assert.deepEqual([after.ino, after.mtime], [ino, mtime]);
  });
});

Deno.test("install-id: parallel starts of several processes yield one id", async () => {
  await withFolder(async (directory) => {
    const folders = Array.from({ length: 40 }, (_, at) => `${directory}/${at}`);
    for (const folder of folders) await Deno.mkdir(folder);
    const results = await startAtOnce(6, folders, ["--allow-read", "--allow-write"]);
    for (const [at, folder] of folders.entries()) {
      const ids = new Set(results.map((folders) => folders[at]!.id));
      assert.equal(ids.size, 1, "one id");
      assert.deepEqual([...ids], [await Deno.readTextFile(`${folder}/${INSTALL_ID_FILE}`)]);
      assert.deepEqual(new Set(results.map((folders) => folders[at]!.problem)), new Set([null]));
      assert.deepEqual(names(folder), [INSTALL_ID_FILE], "no draft remains");
    }
    assert.equal(new Set(results[0]!.map(({ id }) => id)).size, folders.length, "each folder has its own");
  });
});

Deno.test("install-id: neither hardware identifiers nor anything outside of its folder is read", async () => {
  await withFolder(async (directory) => {
    // The sandbox grants neither another path nor system information (host name, network interfaces).
    const only = [`--allow-read=${directory}`, `--allow-write=${directory}`];
    const [[result]] = await startAtOnce(1, [directory], only) as [[{ id: string; problem: null }]];
    assert.match(result.id, INSTALL_ID);
    await Deno.remove(`${directory}/${INSTALL_ID_FILE}`);
    const again = await ensureInstallId({ directory, owner });
    assert.notEqual(again.id, result.id, "the same machine, another installation");
  });
});

Deno.test("install-id: never overwritten when malformed, but reported", async () => {
  const malformed = [
    "",
    "\n",
    "ins_",
    ID.toUpperCase(),
    ID.slice(0, -1),
    `${ID}0`,
    ` ${ID}`,
    `${ID}\n\n`,
    `${ID}\r\n`,
    `${ID}\n${ID}\n`,
    "\0".repeat(36),
    "x".repeat(100_000),
    "10.1.2.3",
  ];
  for (const content of malformed) {
    await withFolder(async (directory) => {
      const path = await put(directory, content);
      for (const get of [ensureInstallId, readInstallId]) {
        const { id, problem } = await get({ directory, owner });
        assert.equal(id, null);
        assert.match(problem!, /is malformed/);
        assert.ok(content.length < 5 || !problem!.includes(content), "its content is not reported");
      }
      assert.equal(await Deno.readTextFile(path), content);
      assert.deepEqual(names(directory), [INSTALL_ID_FILE]);
    });
  }
});

Deno.test("install-id: anything but a regular file is neither followed nor replaced, but reported", async () => {
  await withFolder(async (directory) => {
    const path = `${directory}/${INSTALL_ID_FILE}`;
    const makers: (() => Promise<unknown>)[] = [
      () => Deno.mkdir(path),
      () => Deno.symlink(`${directory}/elsewhere`, path),
      // Reading it would block forever.
      () => new Deno.Command("mkfifo", { args: [path] }).output(),
    ];
    for (const make of makers) {
      await make();
      const { id, problem } = await ensureInstallId({ directory, owner });
      assert.equal(id, null);
      assert.match(problem!, /is not a regular file/);
      assert.deepEqual(names(directory), [INSTALL_ID_FILE]);
      await Deno.remove(path);
    }
  });
});

Deno.test("install-id: a trailing newline from an editor is accepted", async () => {
  await withFolder(async (directory) => {
    await put(directory, `${ID}\n`);
    assert.deepEqual(await ensureInstallId({ directory, owner }), { id: ID, problem: null });
  });
});

Deno.test("install-id: another mode or owner is reported and left unchanged, and the id is valid", async () => {
  await withFolder(async (directory) => {
    const path = await put(directory, ID, 0o644);
    const open = await ensureInstallId({ directory, owner });
    assert.equal(open.id, ID);
    assert.match(open.problem!, /has the mode 0644: expected 0600/);
    assert.equal((await Deno.stat(path)).mode! & 0o7777, 0o644);

    await Deno.chmod(path, 0o600);
    const foreign = await ensureInstallId({ directory, owner: owner! + 1 });
    assert.equal(foreign.id, ID);
    assert.match(
      foreign.problem!,
      new RegExp(`belongs to user ${owner}: expected the service's user, ${owner! + 1}`),
    );
    assert.deepEqual(await ensureInstallId({ directory, owner: null }), { id: ID, problem: null });
  });
});

Deno.test("install-id: an unwritable folder is reported, and nothing is thrown", async () => {
  await withFolder(async (directory) => {
    const missing = await ensureInstallId({ directory: `${directory}/missing`, owner });
    assert.equal(missing.id, null);
    assert.match(missing.problem!, /missing\/install-id cannot be created: /);
    assert.deepEqual(names(directory), []);
  });
  // Not even root can create a file there.
  const kernel = await ensureInstallId({ directory: "/proc", owner });
  assert.equal(kernel.id, null);
  assert.match(kernel.problem!, /\/proc\/install-id cannot be created: /);
});

Deno.test("install-id: an unreadable file is reported, and nothing is thrown", async () => {
  await withFolder(async (directory) => {
    await Deno.writeTextFile(`${directory}/file`, "");
    const { id, problem } = await ensureInstallId({ directory: `${directory}/file`, owner });
    assert.equal(id, null);
    assert.match(problem!, /install-id cannot be read: /);
  });
});

Deno.test("install-id: read-only callers create no file", async () => {
  await withFolder(async (directory) => {
    assert.deepEqual(await readInstallId({ directory, owner }), { id: null, problem: null });
    assert.deepEqual(names(directory), []);
  });
});
