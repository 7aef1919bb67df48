/** Identity of this build. */
export interface Build {
  /** Version of the product. */
  version: string;
  /** Version of the package that it was built for: `version` and a revision. */
  bundleVersion: string;
  /** The git commit; null in a checkout. */
  commit: string | null;
}

/** What `make build` wrote beside the program; in a checkout there is only the version. */
export function readBuild(file: URL, version: string): Build {
  try {
    const { bundleVersion, commit }: Partial<Build> = JSON.parse(Deno.readTextFileSync(file));
    return { version, bundleVersion: bundleVersion ?? version, commit: commit ?? null };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { version, bundleVersion: version, commit: null };
    throw error;
  }
}
