// What typed text may be the address of: an address, a domain, a fingerprint, an identifier.

import type { Condition } from "../../../contract/filter/tree.ts";
import { type Target, to } from "../../base/links.ts";
import type { IconName } from "../../ui/icons.tsx";
import { flowsOf, textOfCondition } from "../../entity/entity-kinds.ts";

/** A page that the palette offers. */
export interface Jump {
  id: string;
  label: string;
  /** What it is, shown beside it. */
  note: string;
  icon: IconName;
  target: Target;
}

const IPV4 = /^(\d{1,3})(\.\d{1,3}){3}$/;
const IPV6 = /^[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:.]*$/i;
const CIDR = /^(.+)\/(\d{1,3})$/;
const DOMAIN = /^(?=.{4,253}$)([a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]{1,62}$/i;
const FINGERPRINT = /^([0-9a-f]{32}|[tqd]\d\d[di]\d{4}\w{2}_[0-9a-f]{12}_[0-9a-f]{12})$/i;
const COMMUNITY_ID = /^1:[A-Za-z0-9+/]{27}=$/;
const IDENTIFIER = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function isAddress(text: string): boolean {
  return IPV4.test(text) ? text.split(".").every((part) => Number(part) < 256) : IPV6.test(text);
}

/** Whether it may be the identifier of an incident, a device or a flow. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text);
}

/** The pages that the text itself names; `has` says which kinds of entities have a page. */
export function jumpsOf(typed: string, has: (path: string) => boolean): Jump[] {
  const text = typed.trim();
  const found: Jump[] = [];
  const network = CIDR.exec(text);
  if (isAddress(text)) {
    if (has("address/$ip")) {
      found.push({ id: "address", label: text, note: "Address", icon: "right", target: to.address(text) });
    }
    found.push(flows(text, "address"));
  } else if (network !== null && isAddress(network[1]!)) {
    found.push(flows(text, "address"));
  } else if (FINGERPRINT.test(text)) {
    if (has("fingerprint/$value")) {
      const target = to.fingerprint(text.toLowerCase());
      found.push({ id: "fingerprint", label: text, note: "Fingerprint", icon: "fingerprint", target });
    }
    found.push(flows(text, "fingerprint"));
  } else if (COMMUNITY_ID.test(text)) {
    found.push({
      id: "community",
      label: `Flows with Community ID ${text}`,
      note: "last 30 days",
      icon: "flows",
      target: to.explore({ filter: textOfCondition(communityId(text)), range: { preset: "30d" } }),
    });
  } else if (DOMAIN.test(text)) {
    if (has("domain/$name")) {
      const target = to.domain(text.toLowerCase());
      found.push({ id: "domain", label: text, note: "Domain", icon: "right", target });
    }
    found.push(flows(text, "domain"));
  }
  return found;
}

function communityId(value: string): Condition {
  return { field: "community_id", op: "=", value };
}

/** Letters from which the help is searched. */
const LEAST = 3;

/** The pages of the help whose names have every word of the text; `names` are those of their files. */
export function helpJumps(typed: string, names: readonly string[]): Jump[] {
  const words = typed.trim().toLowerCase().split(/\s+/).filter((word) => word !== "help");
  if (words.join(" ").length < LEAST) return [];
  return names.filter((name) => name !== "index").map((name) => ({ name, title: titleOf(name) }))
    .filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
    .map(({ name, title }) => ({
      id: `help ${name}`,
      label: title,
      note: "Help",
      icon: "help",
      target: to.help(name),
    }));
}

/** The search of the help for words; null for a text that is too short. */
export function helpSearch(typed: string): Jump | null {
  const text = typed.trim();
  if (text.length < LEAST) return null;
  return {
    id: "help-search",
    label: `Search the help for “${text}”`,
    note: "Help",
    icon: "search",
    target: to.helpSearch(text),
  };
}

/** `threat-intelligence`: Threat intelligence. */
function titleOf(name: string): string {
  const words = name.replaceAll("-", " ");
  return words === "api" ? "API" : words.charAt(0).toUpperCase() + words.slice(1);
}

function flows(value: string, kind: "address" | "domain" | "fingerprint"): Jump {
  return {
    id: "flows",
    label: `Flows of ${value}`,
    note: "Explore",
    icon: "flows",
    target: flowsOf({ kind, value }),
  };
}

/** The filter that finds the typed words. */
export function wordsFilter(typed: string): string {
  return typed.trim().split(/\s+/).filter((word) => word !== "").map((word) =>
    textOfCondition({ field: "any", op: "matches", value: word })
  ).join(" ");
}
