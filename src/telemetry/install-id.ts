// The installation identifier: random, in a file of its own, written once.

import { INSTALL_ID } from "../contract/telemetry/heartbeat.ts";
import { messageOf } from "../kit/errors.ts";

export const INSTALL_ID_FILE = "install-id";

/** Room for the identifier and for what an editor may append. */
const MAX_BYTES = 256;

interface InstallId {
  /** Null if there is no usable identifier. */
  id: string | null;
  /** What an administrator must correct, for the health report; null if nothing is wrong. */
  problem: string | null;
}

export interface InstallIdPlace {
  /** The configuration directory. */
  directory: string;
  /** User id of the service; this process's own if it is the service. */
  owner: number | null;
}

/** The existing identifier; `{ id: null, problem: null }` before there is one. Writes nothing. */
export async function readInstallId({ directory, owner }: InstallIdPlace): Promise<InstallId> {
  const path = `${directory}/${INSTALL_ID_FILE}`;
  try {
    const info = await Deno.lstat(path);
    // Not opened: a pipe would block forever, and a link may lead to another user's file.
    if (!info.isFile) return unusable(path, "is not a regular file");
    if (info.size > MAX_BYTES) return unusable(path, "is malformed");
    const id = (await Deno.readTextFile(path)).replace(/\n$/, "");
    if (!INSTALL_ID.test(id)) return unusable(path, "is malformed");
    return { id, problem: permissionProblem(path, info, owner) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { id: null, problem: null };
    return { id: null, problem: `${path} cannot be read: ${messageOf(error)}` };
  }
}

/**
 * The identifier, created if there is none. Parallel starts all get the same one: the first to name its
 * finished file wins. An existing file is never overwritten.
 */
export async function ensureInstallId(place: InstallIdPlace): Promise<InstallId> {
  const found = await readInstallId(place);
  if (found.id !== null || found.problem !== null) return found;
  const failure = await create(place.directory).then(() => "it was removed immediately", messageOf);
  // Whatever failed, such as syncing the folder, the file decides.
  const made = await readInstallId(place);
  if (made.id !== null || made.problem !== null) return made;
  return { id: null, problem: `${place.directory}/${INSTALL_ID_FILE} cannot be created: ${failure}` };
}

async function create(directory: string): Promise<void> {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const id = `ins_${bytes.subarray(0, 16).toHex()}`;
  const draft = `${directory}/.${INSTALL_ID_FILE}.${bytes.subarray(16, 24).toHex()}`;
  try {
    await writeDurably(draft, id);
    // Unlike a rename, a link does not replace an existing file.
    await Deno.link(draft, `${directory}/${INSTALL_ID_FILE}`);
    await syncDirectory(directory);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  } finally {
    // A leftover draft does no harm.
    await Deno.remove(draft).catch(() => {});
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  await Deno.writeTextFile(path, text, { createNew: true, mode: 0o600 });
  using file = await Deno.open(path);
  await file.sync();
}

/** Makes sure that a reported identifier survives a power failure. */
async function syncDirectory(path: string): Promise<void> {
  using directory = await Deno.open(path);
  await directory.sync();
}

/** The identifier is usable all the same: it reveals nothing, and a new one would be another installation. */
function permissionProblem(path: string, info: Deno.FileInfo, owner: number | null): string | null {
  const mode = (info.mode ?? 0) & 0o7777;
  if (mode !== 0o600) return `${path} has the mode ${mode.toString(8).padStart(4, "0")}: expected 0600`;
  if (owner === null || info.uid === owner) return null;
  return `${path} belongs to user ${info.uid}: expected the service's user, ${owner}`;
}

function unusable(path: string, what: string): InstallId {
  return {
    id: null,
    problem:
      `${path} ${what}: expected ins_ and 32 hex characters; remove it, and the service creates a new one`,
  };
}
