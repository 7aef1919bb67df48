/** A document made from the code. */
export interface Generator {
  /** The file, relative to the repository. */
  path: string;
  /** Returns the whole content of the file; `current` is what it holds now, empty if it does not exist. */
  generate(current: string): string | Promise<string>;
}

/** Every generated document. A new one needs only its entry here. */
export const GENERATORS: readonly Generator[] = [];
