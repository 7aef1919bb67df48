// The shipped proxy configurations, run by the real programs in front of a web layer.

import type { Credentials } from "./certificates.ts";
import {
  type Program,
  programPath,
  runProgram,
  startProgram,
  waitFor,
} from "./transport/transport-programs.ts";

const TRANSPORT = new URL("../../debian/transport", import.meta.url).pathname;
const EXAMPLES = new URL("../../debian/examples", import.meta.url).pathname;

export interface Proxy extends AsyncDisposable {
  /** `https://127.0.0.1:<port>` */
  url: string;
  /** Where it redirects plain http to https. */
  plainUrl?: string;
  /** Output of the program's own configuration check. */
  check: string;
  /** Makes nginx read its configuration and certificates again, without closing connections. */
  reload(): void;
  /** Ends the program and with it every connection. */
  stop(): Promise<void>;
  /** Starts it again, at the same address. */
  start(): Promise<void>;
}

/**
 * nginx with the shipped site, in front of `upstream` (`http://127.0.0.1:<port>`).
 *
 * @param buffering Without the line that switches nginx's buffering off.
 */
export async function startNginx(
  upstream: string,
  { cert, key }: Credentials,
  buffering: "off" | "default" = "off",
): Promise<Proxy> {
  const folder = await proxyFolder(cert, key);
  const port = freePort();
  const plainPort = freePort();
  const site = replaced(await Deno.readTextFile(`${EXAMPLES}/nginx/ndr.conf`), [
    ["listen 80;", `listen 127.0.0.1:${plainPort};`],
    ["listen 443 ssl http2;", `listen 127.0.0.1:${port} ssl http2;`],
    ["/etc/ssl/ndr/fullchain.pem", `${folder}/cert.pem`],
    ["/etc/ssl/ndr/privkey.pem", `${folder}/key.pem`],
    ["http://127.0.0.1:8080", upstream],
    ...buffering === "off" ? [] : [["proxy_buffering off;", ""] as [string, string]],
  ]);
  return { ...await nginxWith(folder, port, site), plainUrl: `http://127.0.0.1:${plainPort}` };
}

/**
 * nginx with the shipped server for sensors on other machines, in front of the core `upstream`. `tls` holds the
 * certificates, `names` the subjects that may send.
 */
export async function startIngestProxy(
  upstream: string,
  { port, tls, names }: { port: number; tls: string; names: readonly string[] },
): Promise<Proxy> {
  const folder = await emptyFolder();
  const site = replaced(await Deno.readTextFile(`${TRANSPORT}/nginx/ndr-ingest.conf`), [
    ["listen 6515 ssl;", `listen 127.0.0.1:${port} ssl;`],
    ["/etc/ndr/tls/appliance.crt", `${tls}/appliance.crt`],
    ["/etc/ndr/tls/appliance.key", `${tls}/appliance.key`],
    ["/etc/ndr/tls/ca.crt", `${tls}/ca.crt`],
    ["http://127.0.0.1:8081", upstream],
    ['"CN=branch" 1;', names.map((name) => `"CN=${name}" 1;`).join(" ")],
  ]);
  return await nginxWith(folder, port, site);
}

/** nginx with one site. */
async function nginxWith(folder: string, port: number, site: string): Promise<Proxy> {
  await Deno.writeTextFile(`${folder}/ndr.conf`, site);
  // What Debian's nginx.conf wraps around the sites, in the test's folder.
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`).join(" ");
  await Deno.writeTextFile(
    `${folder}/nginx.conf`,
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr;
events {}
http { access_log off; ${temporary} include ${folder}/ndr.conf; }
`,
  );
  const nginx = await programPath("nginx");
  const options = ["-p", folder, "-e", "stderr", "-c", `${folder}/nginx.conf`];
  return await started(folder, port, nginx, [...options, "-t"], options);
}

/** Caddy with the shipped file, in front of `upstream`. */
export async function startCaddy(upstream: string, { cert, key }: Credentials): Promise<Proxy> {
  const folder = await proxyFolder(cert, key);
  const port = freePort();
  const file = replaced(await Deno.readTextFile(`${EXAMPLES}/caddy/Caddyfile`), [
    ["\nndr.example {", `\nhttps://127.0.0.1:${port} {\n\ttls ${folder}/cert.pem ${folder}/key.pem`],
    ["reverse_proxy 127.0.0.1:8080", `reverse_proxy ${new URL(upstream).host}`],
  ]);
  // No admin port, and the two public ports elsewhere.
  const plainPort = freePort();
  const own =
    `{\n\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}\n\tdefault_bind 127.0.0.1\n\tskip_install_trust\n}\n`;
  await Deno.writeTextFile(`${folder}/Caddyfile`, own + file);
  const caddy = await programPath("caddy");
  const options = ["--config", `${folder}/Caddyfile`, "--adapter", "caddyfile"];
  // It waits for open streams longer than a second.
  const proxy = await started(folder, port, caddy, ["validate", ...options], ["run", ...options], 1000);
  return { ...proxy, plainUrl: `http://127.0.0.1:${plainPort}` };
}

async function started(
  folder: string,
  port: number,
  path: string,
  checkArgs: string[],
  runArgs: string[],
  patience?: number,
): Promise<Proxy> {
  const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const check = await runProgram(path, checkArgs, env);
  let program: Program;
  const stop = () => program.stop("SIGTERM", patience);
  const start = async () => {
    program = startProgram(path, runArgs, env);
    await waitFor(() => isListening(port), () => program.output());
  };
  const dispose = async () => {
    await stop();
    await Deno.remove(folder, { recursive: true });
  };
  try {
    await start();
  } catch (error) {
    await dispose();
    throw error;
  }
  const reload = () => program.signal("SIGHUP");
  return { url: `https://127.0.0.1:${port}`, check, reload, stop, start, [Symbol.asyncDispose]: dispose };
}

async function emptyFolder(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "ndr-proxy-" });
  // nginx workers run as another user when root starts it.
  await Deno.chmod(folder, 0o755);
  return folder;
}

async function proxyFolder(cert: string, key: string): Promise<string> {
  const folder = await emptyFolder();
  await Deno.writeTextFile(`${folder}/cert.pem`, cert);
  await Deno.writeTextFile(`${folder}/key.pem`, key);
  return folder;
}

/** The shipped text with this test's ports and files; each placeholder must occur exactly once. */
function replaced(text: string, places: [from: string, to: string][]): string {
  for (const [from, to] of places) {
    if (text.split(from).length !== 2) throw new Error(`expected exactly once in the example: ${from}`);
    text = text.replace(from, () => to);
  }
  return text;
}

async function isListening(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
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
