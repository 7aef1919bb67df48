// The installation identifier: random, in a file of its own, written once.

import { INSTALL_ID } from "../contract/telemetry/heartbeat.ts";
import { messageOf } from "../kit/errors.ts";

export const INSTALL_ID_FILE = "install-id";

/** Room for the identifier and what an editor may leave behind it. */
const MAX_BYTES = 256;

interface InstallId {
  /** Null where there is none that could be used. */
  id: string | null;
  /** What an administrator has to put right, for the health report; null where nothing is wrong. */
  problem: string | null;
}

export interface InstallIdPlace {
  /** The configuration directory. */
  directory: string;
  /** Number of the user that the service runs as; this process's where it is the service. */
  owner: number | null;
}

/** The identifier that is there; `{ id: null, problem: null }` before there is one. Writes nothing. */
export async function readInstallId({ directory, owner }: InstallIdPlace): Promise<InstallId> {
  const path = `${directory}/${INSTALL_ID_FILE}`;
  try {
    const info = await Deno.lstat(path);
    // Not opened: a pipe would never end, and a link leads to a file that somebody else may own.
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
 * The identifier, made where there is none. However many processes start at once, all get the same one: whoever is
 * first to give the finished file its name has made it. What is there is never overwritten.
 */
export async function ensureInstallId(place: InstallIdPlace): Promise<InstallId> {
  const found = await readInstallId(place);
  if (found.id !== null || found.problem !== null) return found;
  const failure = await create(place.directory).then(() => "it was removed at once", messageOf);
  // Whatever failed (the folder's sync, at the last), the file is what counts.
  const made = await readInstallId(place);
  if (made.id !== null || made.problem !== null) return made;
  return { id: null, problem: `${place.directory}/${INSTALL_ID_FILE} cannot be made: ${failure}` };
}

async function create(directory: string): Promise<void> {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const id = `ins_${bytes.subarray(0, 16).toHex()}`;
  const draft = `${directory}/.${INSTALL_ID_FILE}.${bytes.subarray(16, 24).toHex()}`;
  try {
    await writeDurably(draft, id);
    // Unlike a rename, a link does not replace what is there.
    await Deno.link(draft, `${directory}/${INSTALL_ID_FILE}`);
    await syncDirectory(directory);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  } finally {
    // A draft that stays is in nobody's way.
    await Deno.remove(draft).catch(() => {});
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  await Deno.writeTextFile(path, text, { createNew: true, mode: 0o600 });
  using file = await Deno.open(path);
  await file.sync();
}

/** So that the identifier that was told outside is still here after a power failure. */
async function syncDirectory(path: string): Promise<void> {
  using directory = await Deno.open(path);
  await directory.sync();
}

/** The identifier is good all the same: it says nothing, and another one would be another installation. */
function permissionProblem(path: string, info: Deno.FileInfo, owner: number | null): string | null {
  const mode = (info.mode ?? 0) & 0o7777;
  if (mode !== 0o600) return `${path} has the mode ${mode.toString(8).padStart(4, "0")}: expected 0600`;
  if (owner === null || info.uid === owner) return null;
  return `${path} belongs to the user ${info.uid}: expected the service's, ${owner}`;
}

function unusable(path: string, what: string): InstallId {
  return {
    id: null,
    problem:
      `${path} ${what}: expected ins_ and 32 hex characters; remove it, and the service makes another one`,
  };
}
