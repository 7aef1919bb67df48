import { getDomain } from "tldts";
import { isHostText } from "../flow/server-name.ts";
import { BoundedMap } from "../../kit/bounded-map.ts";

const AS_GIVEN = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  mixedInputs: false,
  detectIp: false,
};

/**
 * The registrable domain of a name in lower case: `www.example.co.uk` gives `example.co.uk`. Names below a
 * provider that assigns them to customers stay separate (`a.github.io`); an internal network's own domain
 * counts too (`dc1.corp.local` gives `corp.local`). Null for single labels, public suffixes, addresses and
 * reverse lookup names.
 */
export function registeredDomain(name: string): string | null {
  const known = KNOWN.get(name);
  if (known !== undefined) return known;
  const domain = find(name);
  KNOWN.set(name, domain);
  return domain;
}

/** A network asks for the same names repeatedly. */
const KNOWN = new BoundedMap<string, string | null>(4096);

function find(name: string): string | null {
  if (!isHostText(name) || name.endsWith(".arpa") || /\.\d*$/.test(name)) return null;
  return getDomain(name, AS_GIVEN);
}
