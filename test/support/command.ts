// Runs a subcommand of the real program to completion.

const ROOT = new URL("../..", import.meta.url).pathname;

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs `ndr` with these arguments. The environment holds no NDR settings except those in `env`. `flags`:
 * extra flags for `deno run`.
 */
export async function runNdr(
  args: readonly string[],
  env: Record<string, string>,
  flags: readonly string[] = [],
): Promise<Ran> {
  const inherited = Object.entries(Deno.env.toObject()).filter(([name]) => !name.startsWith("NDR_"));
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", ...flags, "main.ts", ...args],
    cwd: ROOT,
    clearEnv: true,
    env: { ...Object.fromEntries(inherited), NO_COLOR: "1", ...env },
    stdin: "null",
  });
  const { code, stdout, stderr } = await command.output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: decode(stdout), stderr: decode(stderr) };
}
