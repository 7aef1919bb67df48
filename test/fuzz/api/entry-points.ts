// The two entry points of the API: the web layer with a session, and the core with a signed request.

import { ROLES } from "../../../src/contract/record/kinds.ts";
import { SIGNED_HEADERS, signRequest, WEB_SERVICE } from "../../../src/contract/request/signed-request.ts";
import { Browser } from "../../web/session/web-browser.ts";
import type { Up } from "../../support/up.ts";
import type { Random } from "./random.ts";
import type { Made } from "./request.ts";
import { hostileText } from "./values.ts";

/** A request as sent. */
export interface Sent extends Made {
  origin: string;
  /** Sender and entry point, as text. */
  sender: string;
  /** Whether the credentials are valid: the right key, a session, a tenant. */
  isAuthorized: boolean;
}

const ACCOUNTS = ["reader", "analyst", "responder", "admin"];

export class EntryPoints {
  private constructor(
    private readonly up: Up,
    private readonly key: Uint8Array,
    private readonly browsers: Map<string, Browser>,
  ) {}

  static async open(up: Up, stateDir: string): Promise<EntryPoints> {
    const browsers = new Map([["nobody", new Browser(up.baseUrl)]]);
    for (const account of ACCOUNTS) browsers.set(account, await new Browser(up.baseUrl).signIn(account));
    return new EntryPoints(up, await Deno.readFile(`${stateDir}/service.key`), browsers);
  }

  async through(random: Random, made: Made, servedByWeb: boolean): Promise<Sent> {
    return servedByWeb || random.chance(0.4) ? await this.#web(random, made) : await this.#core(random, made);
  }

  /** Through the web layer, with the rights to see everything. */
  asAdmin(made: Made): Sent {
    const headers = { ...made.headers, cookie: this.#cookie("admin") };
    return { ...made, headers, origin: this.up.baseUrl, sender: "web as admin", isAuthorized: true };
  }

  #cookie(account: string): string {
    const cookies = this.browsers.get(account)!.cookies.filter(({ path }) => path === "/");
    return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  }

  async send({ origin, target, method, headers, body }: Sent): Promise<Response> {
    return await fetch(`${origin}${target}`, { method, headers, body, redirect: "manual" });
  }

  async #web(random: Random, made: Made): Promise<Sent> {
    const account = random.chance(0.95) ? random.pick(ACCOUNTS) : "nobody";
    const browser = this.browsers.get(account)!;
    const headers: Record<string, string> = { ...made.headers };
    if (account !== "nobody") headers.cookie = this.#cookie(account);
    if (made.method !== "GET" && account !== "nobody" && random.chance(0.95)) {
      headers["x-csrf-token"] = await browser.csrf();
      headers.origin = browser.baseUrl;
    }
    return {
      ...made,
      headers,
      origin: this.up.baseUrl,
      sender: `web as ${account}`,
      isAuthorized: account !== "nobody",
    };
  }

  async #core(random: Random, made: Made): Promise<Sent> {
    const url = new URL(made.target, this.up.coreUrl);
    const isAuthorized = random.chance(0.93);
    const tenantId = isAuthorized
      ? random.pick(["main", "main", "main", "branch"])
      : random.pick([null, "nowhere", "main"]);
    const roles = ROLES.filter(() => random.chance(0.6));
    const now = Date.now() * 1000 + (isAuthorized ? 0 : random.pick([0, 3600e6, -3600e6]));
    const parts = {
      method: made.method,
      pathname: url.pathname,
      search: url.search,
      body: made.body ?? new Uint8Array(),
    };
    const signed = await signRequest(this.key, parts, {
      service: WEB_SERVICE,
      tenantId,
      subject: random.pick(["ada", "o'hara <x>", "x@example.org"]),
      roles,
      issuedAt: now,
      expiresAt: now + 30_000_000,
      nonce: crypto.randomUUID(),
    });
    const headers: Record<string, string> = { ...made.headers, ...signed };
    if (!isAuthorized && random.chance(0.5)) {
      const name = random.pick(Object.values(SIGNED_HEADERS));
      if (random.chance(0.5)) delete headers[name];
      else headers[name] = hostileText(random).replaceAll(/[^\x21-\x7e]/g, "?").slice(0, 200);
    }
    return {
      ...made,
      headers,
      origin: this.up.coreUrl,
      sender: `core as ${tenantId} ${roles}`,
      isAuthorized,
    };
  }
}

/** The request as a curl command for a shell. */
export function asCurl({ origin, target, method, headers, body }: Sent): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const given = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  // Non-text bytes are written as shell escapes.
  const text = body && new TextDecoder().decode(body);
  const data = text === null
    ? []
    : [`--data-binary ${quote(text.length > 2000 ? `${text.slice(0, 2000)}…` : text)}`];
  return ["curl -i", `-X ${method}`, ...given, ...data, quote(origin + target)].join(" ");
}
