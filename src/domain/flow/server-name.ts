import { canonicalIp } from "../../kit/net/ip.ts";
import type { Observation } from "../record/observation.ts";

/** The name by which a flow's client asked for its server, and the observation that says so. */
export interface ServerName {
  name: string;
  /** TLS server name indication, or the host of an HTTP request. */
  via: "tls" | "http";
  /** Which end of the flow is the server: an exporter's direction may begin with it. */
  end: "src" | "dst";
  evidenceId: string;
}

const MAX_NAME = 255;

/** The name that an observation states for its destination; null where there is none, or an address in its place. */
export function statedName({ facts }: Observation): Pick<ServerName, "name" | "via"> | null {
  if (facts?.type !== "tls" && facts?.type !== "http") return null;
  const name = facts.type === "tls" ? facts.serverName : facts.host;
  return name !== null && isHostText(name) ? { name, via: facts.type } : null;
}

/** Whether a text that a client sent can be the name of a host: hostile ones must not pass for one. */
export function isHostText(name: string): boolean {
  // Nearly all are plain ASCII, for which a narrow pattern is several times faster.
  if (name.length > MAX_NAME || (!/^[!-~]+$/.test(name) && /[\s\p{C}]/u.test(name))) return false;
  return canonicalIp(name) === null;
}
