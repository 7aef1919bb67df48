// A filesystem of a few megabytes for tests that fill it. Only root may mount one.

import { diskSpace } from "../../src/store/engine/database-directory.ts";

const MIB = 1024 ** 2;

/** Whether this process may mount a filesystem; tests that need one are skipped otherwise. */
export const CAN_MOUNT = await (async () => {
  if (Deno.uid() !== 0) return false;
  const folder = await Deno.makeTempDir({ prefix: "ndr-disk-" });
  const mounted = await mount(folder, 1);
  if (mounted) await command("umount", folder);
  await Deno.remove(folder);
  return mounted;
})();

/** A mounted disk; `await using` unmounts and removes it. */
export class SmallDisk {
  private constructor(readonly folder: string) {}

  static async make(mebibytes: number): Promise<SmallDisk> {
    // Below /tmp, which other users can access.
    const folder = await Deno.makeTempDir({ dir: "/tmp", prefix: "ndr-disk-" });
    if (!(await mount(folder, mebibytes))) throw new Error(`cannot mount a filesystem at ${folder}`);
    return new SmallDisk(folder);
  }

  /** Free bytes. */
  get free(): number {
    return diskSpace(this.folder)!.free;
  }

  get size(): number {
    return diskSpace(this.folder)!.size;
  }

  /** Grows or shrinks a filler file so that at most `bytes` remain free, and only slightly less. */
  async leave(bytes: number): Promise<void> {
    const path = `${this.folder}/ballast`;
    using file = await Deno.open(path, { create: true, write: true });
    const { size } = await file.stat();
    const wanted = Math.max(0, size + this.free - bytes);
    if (wanted < size) return await file.truncate(wanted);
    await file.seek(0, Deno.SeekMode.End);
    for (let left = wanted - size; left > 0;) {
      try {
        left -= await file.write(new Uint8Array(Math.min(left, MIB)));
      } catch (error) {
        if (!isFull(error)) throw error;
        // Another process used the rest.
        return;
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A file may still be open for a moment.
    await command("umount", "-l", this.folder);
    await Deno.remove(this.folder);
  }
}

function isFull(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === "ENOSPC";
}

async function mount(folder: string, mebibytes: number): Promise<boolean> {
  return await command("mount", "-t", "tmpfs", "-o", `size=${mebibytes}m,mode=0755`, "tmpfs", folder);
}

async function command(program: string, ...args: string[]): Promise<boolean> {
  try {
    return (await new Deno.Command(program, { args, stdout: "null", stderr: "null" }).output()).success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
