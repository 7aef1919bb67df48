/** The files that differ from a base (default: the last commit), new ones included, relative to the repository. */
export async function changedFiles(root: string, base: string | null): Promise<string[]> {
  const from = base === null ? "HEAD" : (await git(root, ["merge-base", base, "HEAD"]))[0]!;
  const changed = await git(root, ["diff", "--name-only", "--no-renames", from]);
  const added = await git(root, ["ls-files", "--others", "--exclude-standard"]);
  return [...new Set([...changed, ...added])].sort();
}

async function git(root: string, args: string[]): Promise<string[]> {
  const { success, stdout, stderr } = await new Deno.Command("git", { args, cwd: root }).output();
  if (!success) throw new Error(`git ${args[0]}: ${new TextDecoder().decode(stderr).trim()}`);
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
}
