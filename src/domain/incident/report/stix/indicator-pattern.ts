import type { CaseIndicator } from "../../../../contract/incident/case.ts";

/** The STIX pattern of an indicator; null if STIX has no property for its kind, as for JA3 and JA4. */
export function indicatorPattern(
  { kind, indicator }: Pick<CaseIndicator, "kind" | "indicator">,
): string | null {
  const text = literal(indicator);
  const address = indicator.includes(":") ? "ipv6-addr" : "ipv4-addr";
  switch (kind) {
    case "ip":
      return `[${address}:value = ${text}]`;
    case "cidr":
      return `[${address}:value ISSUBSET ${text}]`;
    case "domain":
      return `[domain-name:value = ${text}]`;
    case "url":
      // Lists of URLs are compared without their scheme.
      return `[url:value = ${literal(`http://${indicator}`)} OR url:value = ${
        literal(`https://${indicator}`)
      }]`;
    case "certificate": {
      const algorithm = { 32: "MD5", 40: "SHA-1", 64: "SHA-256" }[indicator.length];
      return algorithm === undefined ? null : `[x509-certificate:hashes.'${algorithm}' = ${text}]`;
    }
    default:
      return null;
  }
}

function literal(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
