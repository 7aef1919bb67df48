// Prometheus and promtool from Debian, with the shipped configuration.

import { programPath, runProgram, startProgram, waitFor } from "../transport/transport-programs.ts";

export const EXAMPLES = new URL("../../../debian/examples", import.meta.url).pathname;

export interface Series {
  metric: Record<string, string>;
  value: [at: number, value: string];
}

interface Prometheus extends AsyncDisposable {
  /** Evaluates an expression now, as an instant vector. */
  query(expression: string): Promise<Series[]>;
  /** `data` of an API route. */
  get(path: string): Promise<unknown>;
}

/**
 * Runs promtool and returns its output; fails with the output unless it succeeds. `input`: standard input.
 */
export async function promtool(args: readonly string[], input = ""): Promise<string> {
  const { success, text } = await tryPromtool(args, input);
  if (!success) throw new Error(`promtool ${args.join(" ")}: ${text}`);
  return text;
}

/** As `promtool`, but a failure does not throw. */
export async function tryPromtool(
  args: readonly string[],
  input = "",
): Promise<{ success: boolean; text: string }> {
  const child = new Deno.Command(await programPath("promtool"), {
    args: [...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { success, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { success, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** Writes the shipped prometheus.yml, its rules and a token file to `folder`, for a target (`host:port`). */
export async function installExample(folder: string, target: string, token: string): Promise<string> {
  const tokenFile = `${folder}/ndr-metrics-token`;
  await Deno.writeTextFile(tokenFile, `${token}\n`, { mode: 0o600 });
  await Deno.copyFile(`${EXAMPLES}/prometheus/ndr-alerts.yml`, `${folder}/ndr-alerts.yml`);
  let text = await Deno.readTextFile(`${EXAMPLES}/prometheus/prometheus.yml`);
  const places = [
    ["- /etc/prometheus/ndr-alerts.yml", `- ${folder}/ndr-alerts.yml`],
    ["credentials_file: /etc/prometheus/ndr-metrics-token", `credentials_file: ${tokenFile}`],
    ['targets: ["127.0.0.1:8080"]', `targets: ["${target}"]`],
  ];
  for (const [from, to] of places) {
    if (text.split(from!).length !== 2) throw new Error(`expected exactly once in the example: ${from}`);
    text = text.replace(from!, () => to!);
  }
  await Deno.writeTextFile(`${folder}/prometheus.yml`, text);
  return `${folder}/prometheus.yml`;
}

/** A Prometheus that scrapes `baseUrl` with the shipped configuration, but every second. */
export async function startPrometheus(baseUrl: string, token: string): Promise<Prometheus> {
  const folder = await Deno.makeTempDir({ prefix: "ndr-prometheus-" });
  const config = await installExample(folder, new URL(baseUrl).host, token);
  await promtool(["check", "config", config]);
  const often = (await Deno.readTextFile(config))
    .replaceAll(/(scrape_interval|evaluation_interval|scrape_timeout): \d+s/g, "$1: 1s");
  await Deno.writeTextFile(config, often);
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = startProgram(await programPath("prometheus"), [
    `--config.file=${config}`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  const dispose = async () => {
    await program.stop();
    await Deno.remove(folder, { recursive: true });
  };
  try {
    await waitFor(() => isReady(url), () => program.output());
  } catch (error) {
    await dispose();
    throw error;
  }
  const get = async (path: string): Promise<unknown> => {
    const { status, data, error } = await (await fetch(`${url}/api/v1/${path}`)).json();
    if (status !== "success") throw new Error(`${path}: ${error}`);
    return data;
  };
  return {
    get,
    async query(expression) {
      const data = await get(`query?${new URLSearchParams({ query: expression })}`);
      return (data as { result: Series[] }).result;
    },
    [Symbol.asyncDispose]: dispose,
  };
}

/** Has promtool parse every expression, written as a rules file. */
export async function checkExpressions(expressions: readonly string[]): Promise<string> {
  const rules = expressions.map((expr, index) => ({ record: `checked:expression:${index}`, expr }));
  const path = await Deno.makeTempFile({ suffix: ".yml" });
  try {
    await Deno.writeTextFile(path, JSON.stringify({ groups: [{ name: "checked", rules }] }));
    return await runProgram(await programPath("promtool"), ["check", "rules", path]);
  } finally {
    await Deno.remove(path);
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/-/ready`);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  return port;
}
