import { digestHex } from "../kit/web-crypto.ts";
import type { Context } from "hono";
import { getMimeType } from "hono/utils/mime";
import { gzipOrPlain } from "./accept-encoding.ts";

/** Files whose name contains a hash of their content, as the dashboard's build names them. */
const HASHED = /^\/assets\//;
const COMPRESSIBLE = /^(text\/|application\/(json|javascript|manifest\+json)|image\/svg)/;

interface StaticFile {
  modified: number;
  size: number;
  type: string;
  etag: string;
  bytes: Uint8Array<ArrayBuffer>;
  gzip: Uint8Array<ArrayBuffer> | null;
}

/** The built dashboard, a folder of few files: read once, and again when one changes. */
export class StaticFiles {
  readonly #directory: string;
  readonly #files = new Map<string, StaticFile>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** A file; for a path that the dashboard routes itself, its page; null if there is neither. */
  async serve(c: Context): Promise<Response | null> {
    const name = fileName(new URL(c.req.url).pathname);
    if (name === null) return null;
    const file = await this.#read(name);
    return file === null ? null : respond(c, file, HASHED.test(name));
  }

  /** A page of the build under any path; null if it was not built. */
  async page(c: Context, name: string): Promise<Response | null> {
    const file = await this.#read(name);
    return file === null ? null : respond(c, file, false);
  }

  async #read(name: string): Promise<StaticFile | null> {
    const path = this.#directory + name;
    let info: Deno.FileInfo;
    try {
      info = await Deno.stat(path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return null;
      throw error;
    }
    if (!info.isFile) return null;
    const modified = info.mtime?.getTime() ?? 0;
    const known = this.#files.get(name);
    if (known && known.modified === modified && known.size === info.size) return known;

    const bytes = await Deno.readFile(path);
    const type = getMimeType(name) ?? "application/octet-stream";
    const file: StaticFile = {
      modified,
      size: info.size,
      type,
      etag: (await digestHex(bytes)).slice(0, 32),
      bytes,
      gzip: COMPRESSIBLE.test(type) && bytes.length > 1024 ? await compress(bytes) : null,
    };
    this.#files.set(name, file);
    return file;
  }
}

/**
 * The file for a path: itself if it names one, else the dashboard's page, which routes it. Null for a mistake
 * or an attack: a hidden file, a way out of the folder, an odd file name.
 */
function fileName(pathname: string): string | null {
  if (/(^|\/)(\.|%2e)/i.test(pathname)) return null;
  if (!HASHED.test(pathname) && getMimeType(pathname) === undefined) return "/index.html";
  return /^(\/[\w@~+-][\w.@~+-]*)+$/.test(pathname) ? pathname : null;
}

function respond(c: Context, file: StaticFile, immutable: boolean): Response {
  const gzip = gzipOrPlain(c.req.header("accept-encoding")).gzip ? file.gzip : null;
  const etag = `"${file.etag}${gzip ? "-gzip" : ""}"`;
  const headers = new Headers({
    "Content-Type": file.type,
    "Cache-Control": immutable ? "public, max-age=31536000, immutable" : "no-cache",
    "ETag": etag,
    "Vary": "Accept-Encoding",
  });
  if (c.req.header("if-none-match") === etag) return new Response(null, { status: 304, headers });
  if (gzip) headers.set("Content-Encoding", "gzip");
  return new Response(gzip ?? file.bytes, { headers });
}

async function compress(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
