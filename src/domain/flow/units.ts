import { shownIp } from "../../kit/net/shown-ip.ts";
import { hostPort } from "../../kit/text.ts";
import type { Endpoint } from "../record/observation.ts";

// Human-readable values for one line of text.

export function endpoint({ ip, port }: Endpoint): string {
  const shown = shownIp(ip);
  return port === null ? shown : hostPort(shown, port);
}

const MAX_TEXT = 120;

/** Text from the network as one line, truncated to `MAX_TEXT` characters. */
export function plain(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
  if (line.length <= MAX_TEXT) return line;
  return `${line.slice(0, MAX_TEXT - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
