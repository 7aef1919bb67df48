import { type FileChange, place } from "../setup/files.ts";

/** Replaces each file at once, in this order. An existing file keeps owner and mode; links are followed. */
export function writeChanges(changes: readonly FileChange[]): void {
  for (const { path, text, mode = 0o644, owner } of changes) {
    const bytes = new TextEncoder().encode(text);
    try {
      const target = Deno.realPathSync(path);
      place(target, bytes, Deno.statSync(target));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      makeFolder(path.replace(/\/[^/]*$/, ""), owner);
      place(path, bytes, { mode, ...owner });
    }
  }
}

/** Only the owner may look into a folder that is made for a secret. */
function makeFolder(path: string, owner: FileChange["owner"]): void {
  try {
    Deno.mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return;
    throw error;
  }
  if (owner?.uid !== undefined && owner.uid !== null) Deno.chownSync(path, owner.uid, owner.gid);
}
