import { isLoopbackIp, parseIp } from "../kit/net/ip.ts";
import { mayBeReceiver } from "./receiver-address.ts";
import { bareHost } from "./resolve-receiver.ts";
import type { Variables } from "./variables.ts";

export interface Listen {
  host: string;
  /** 0 lets the system choose. */
  port: number;
}

/** `host:port` of a listener; only a loopback address is accepted. */
export function readListen(variables: Variables, name: string, otherwise: Listen): Listen {
  const text = variables.text(name);
  if (text === null) return otherwise;
  const match = /^(?:\[([^\]]+)\]|([^:]+)):([0-9]{1,5})$/.exec(text);
  const host = match?.[1] ?? (match?.[2] === "localhost" ? "127.0.0.1" : match?.[2]);
  const port = Number(match?.[3]);
  const address = host === undefined ? null : parseIp(host);
  if (host === undefined || address === null || port > 65535) {
    variables.fault(name, `expected an address and port such as 127.0.0.1:8081, got "${text}"`);
    return otherwise;
  }
  if (!isLoopbackIp(address)) {
    variables.fault(
      name,
      `expected a loopback address (127.0.0.0/8 or ::1), got "${text}"; put a reverse proxy in front instead`,
    );
    return otherwise;
  }
  return { host, port };
}

/**
 * A URL that is https, or http to this machine. With `origin`: scheme, host and port only. An origin is
 * returned without a trailing slash, any other URL as written: the slash matters to an OIDC issuer. With
 * `outgoing`, the appliance connects to it, so its address must not be a refused one.
 */
export function readUrl(
  variables: Variables,
  name: string,
  options: { origin: boolean; outgoing?: boolean },
): string | null {
  const text = variables.text(name);
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const form = options.origin
    ? "an origin such as https://ndr.example"
    : "a URL such as https://id.example/ndr";
  const secure = url !== null && (url.protocol === "https:" || (url.protocol === "http:" && isLocal(url)));
  if (url === null || !secure || url.username !== "" || url.password !== "") {
    // The text is not shown: it may contain a password.
    variables.fault(name, `expected ${form} (https, or http to a loopback address), without a user name`);
    return null;
  }
  const bare = url.search === "" && url.hash === "" && !text.includes("?") && !text.includes("#");
  if (!bare || (options.origin && url.pathname !== "/")) {
    variables.fault(
      name,
      `expected ${form}, without ${options.origin ? "a path, " : ""}a query or a fragment`,
    );
    return null;
  }
  const host = bareHost(url);
  if (options.outgoing && parseIp(host) !== null && !mayBeReceiver(host)) {
    variables.fault(name, "expected a server's address; link-local and cloud metadata addresses are refused");
    return null;
  }
  return options.origin ? url.origin : text;
}

/** The origin of a URL that is only an origin, https or http to this machine; null for any other text. */
export function secureOrigin(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !(url.protocol === "https:" || (url.protocol === "http:" && isLocal(url)))) return null;
  return url.href === `${url.origin}/` && !/[?#]/.test(text) ? url.origin : null;
}

function isLocal(url: URL): boolean {
  if (url.hostname === "localhost") return true;
  const address = parseIp(bareHost(url));
  return address !== null && isLoopbackIp(address);
}
