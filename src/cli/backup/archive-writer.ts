import { Sha256 } from "../../kit/hash.ts";
import { messageOf } from "../../kit/errors.ts";
import { SUM_NAME } from "./manifest.ts";
import { paddingOf, TAR_END, type TarEntry, tarHeader } from "./tar.ts";

/** The request cannot be fulfilled; the message is for the user. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/** Writes a backup to `<path>.new`, which takes the place of the path when it is complete. */
export class ArchiveWriter {
  readonly #hash = new Sha256();
  #isSummed = false;
  #bytes = 0;

  private constructor(
    private readonly path: string,
    private readonly file: Deno.FsFile,
    private readonly now: number,
  ) {}

  /** @throws BackupError if it cannot be written, or another program writes it */
  static async create(path: string): Promise<ArchiveWriter> {
    let file: Deno.FsFile;
    try {
      file = await Deno.open(`${path}.new`, { write: true, create: true, mode: 0o600 });
    } catch (error) {
      throw new BackupError(`cannot write ${path}.new: ${messageOf(error)}`);
    }
    if (!(await file.tryLock(true))) {
      file.close();
      throw new BackupError(`${path}.new is being written by another ndr backup`);
    }
    // An interrupted run may have left it, with another mode.
    await file.truncate();
    await Deno.chmod(`${path}.new`, 0o600);
    return new ArchiveWriter(path, file, Date.now() / 1000);
  }

  /** Size of what has been written. */
  get bytes(): number {
    return this.#bytes;
  }

  async add(
    name: string,
    content: Uint8Array,
    about: Partial<Omit<TarEntry, "name" | "size">> = {},
  ): Promise<void> {
    const unknown = { mode: 0o600, owner: "", group: "", changedAt: this.now };
    await this.#write(tarHeader({ ...unknown, ...about, name, size: content.length }));
    await this.#write(content);
    await this.#write(new Uint8Array(paddingOf(content.length)));
  }

  /** Completes the file and gives it its name. */
  async finish(): Promise<void> {
    this.#isSummed = true;
    await this.add(SUM_NAME, new TextEncoder().encode(`${this.#hash.hex()}\n`));
    await this.#write(new Uint8Array(TAR_END));
    await this.file.sync();
    await Deno.rename(`${this.path}.new`, this.path);
    this.file.close();
  }

  async abort(): Promise<void> {
    this.file.close();
    await Deno.remove(`${this.path}.new`);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (!this.#isSummed) this.#hash.update(bytes);
    for (let at = 0; at < bytes.length;) at += await this.file.write(bytes.subarray(at));
    this.#bytes += bytes.length;
  }
}
