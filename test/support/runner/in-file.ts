/** The name of a test that runs together with those of other files. */
export function inFile(file: string, name: string): string {
  return `${file}: ${name}`;
}

/** The file in the name of such a test or of its step, null in another name. */
export function fileIn(name: string): string | null {
  return /^(\S+_test\.tsx?): /.exec(name)?.[1] ?? null;
}
