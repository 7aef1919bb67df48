import { canonicalIp } from "../../kit/net/ip.ts";
import type { Observation } from "../record/observation.ts";

/** The server name a flow's client asked for, and the observation that states it. */
export interface ServerName {
  name: string;
  /** TLS server name indication, or the host of an HTTP request. */
  via: "tls" | "http";
  /** Which end of the flow is the server: an exporter may list it first. */
  end: "src" | "dst";
  evidenceId: string;
}

const MAX_NAME = 255;

/** The server name an observation states for its destination; null if absent or an address. */
export function statedName({ facts }: Observation): Pick<ServerName, "name" | "via"> | null {
  if (facts?.type !== "tls" && facts?.type !== "http") return null;
  const name = facts.type === "tls" ? facts.serverName : facts.host;
  return name !== null && isHostText(name) ? { name, via: facts.type } : null;
}

/** Whether client-supplied text can be a host name: hostile text must not pass for one. */
export function isHostText(name: string): boolean {
  // Nearly all names are plain ASCII, for which a narrow pattern is several times faster.
  if (name.length > MAX_NAME || (!/^[!-~]+$/.test(name) && /[\s\p{C}]/u.test(name))) return false;
  return canonicalIp(name) === null;
}
