/** Where bytes lie in a spill file. */
export interface Place {
  at: number;
  length: number;
}

/**
 * Bytes that wait on disk until somebody wants them: a ring in a file that has no name, so nothing is left of it however the
 * process ends. It is made on first use and gives its room back to the disk whenever it is empty.
 */
export class SpillFile {
  #file: Deno.FsFile | null = null;
  /** In the order in which they were put. */
  readonly #places = new Set<Place>();
  /** Behind the last one. */
  #next = 0;
  #refused = false;

  /** @param maxBytes Of the file. */
  constructor(private readonly directory: string, private readonly maxBytes: number) {}

  /** Whether it is worth trying: false from when something found no room until something else goes. */
  get hasRoom(): boolean {
    return !this.#refused || this.#places.size === 0;
  }

  /** Null where there is no room, in the file or on the disk. */
  put(bytes: Uint8Array): Place | null {
    const at = this.#roomFor(bytes.length);
    if (at === null || !this.#write(bytes, at)) {
      this.#refused = true;
      return null;
    }
    const place = { at, length: bytes.length };
    this.#places.add(place);
    this.#next = at + bytes.length;
    return place;
  }

  /** @throws Error where the disk does not give back what was put there. */
  read({ at, length }: Place): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length);
    const file = this.#open();
    file.seekSync(at, Deno.SeekMode.Start);
    for (let done = 0; done < length;) {
      const count = file.readSync(bytes.subarray(done));
      if (count === null) throw new Error(`expected ${length} bytes, found ${done}`);
      done += count;
    }
    return bytes;
  }

  free(place: Place): void {
    this.#places.delete(place);
    this.#refused = false;
    if (this.#places.size > 0) return;
    this.#next = 0;
    this.#file?.truncateSync(0);
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
    this.#places.clear();
    this.#next = 0;
  }

  /** What is free lies between the last one and the oldest, and never is none, so that full and empty differ. */
  #roomFor(length: number): number | null {
    const [oldest] = this.#places;
    if (oldest === undefined) return length <= this.maxBytes ? 0 : null;
    if (this.#next <= oldest.at) return this.#next + length < oldest.at ? this.#next : null;
    if (this.#next + length <= this.maxBytes) return this.#next;
    return length < oldest.at ? 0 : null;
  }

  #write(bytes: Uint8Array, at: number): boolean {
    try {
      const file = this.#open();
      file.seekSync(at, Deno.SeekMode.Start);
      for (let done = 0; done < bytes.length;) done += file.writeSync(bytes.subarray(done));
      return true;
    } catch {
      return false;
    }
  }

  #open(): Deno.FsFile {
    if (this.#file !== null) return this.#file;
    const path = Deno.makeTempFileSync({ dir: this.directory, prefix: ".spill-" });
    try {
      return this.#file = Deno.openSync(path, { read: true, write: true });
    } finally {
      Deno.removeSync(path);
    }
  }
}
