import type { CaseEvidence, CaseFlow } from "../../../../contract/incident/case.ts";
import type { IncidentParty } from "../../../../contract/incident/talk.ts";
import type { Facts } from "../../../../contract/record/facts.ts";
import { canonicalIp } from "../../../../kit/net/ip.ts";
import { observableId, type StixObject } from "./ids.ts";

type FactsOf<Type extends Facts["type"]> = Extract<Facts, { type: Type }>;

/** The names of hashes by their hexadecimal digits. */
const HASHES: Readonly<Record<number, string>> = { 32: "MD5", 40: "SHA-1", 64: "SHA-256" };
/** A host name as RFC 1034 and its successors have it; the underscore is usual in names of services. */
const HOST_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;
/** What a URL may consist of, by RFC 3986. */
const URL_TEXT = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/;
const MAC = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/;

/** The observables of a case, each once; a value that STIX does not allow makes none. */
export class Observables {
  readonly #objects = new Map<string, StixObject>();
  readonly #requests = new Map<string, FactsOf<"http">>();

  /** `evidence`: the first HTTP request of a flow describes its traffic. */
  constructor(evidence: readonly CaseEvidence[]) {
    for (const { flow_id, facts } of evidence) {
      if (facts?.type === "http" && !this.#requests.has(flow_id)) this.#requests.set(flow_id, facts);
    }
  }

  /** In the order of their identifiers. */
  get objects(): StixObject[] {
    return [...this.#objects.values()].sort((a, b) => a.id < b.id ? -1 : 1);
  }

  address(ip: string | null): string | null {
    if (ip === null || canonicalIp(ip) === null) return null;
    return this.#add(ip.includes(":") ? "ipv6-addr" : "ipv4-addr", { value: ip });
  }

  mac(text: string): string | null {
    const value = text.toLowerCase().replaceAll("-", ":");
    return MAC.test(value) ? this.#add("mac-addr", { value }) : null;
  }

  domain(name: string | null): string | null {
    const value = name?.replace(/\.$/, "").toLowerCase() ?? "";
    if (!HOST_NAME.test(value) || canonicalIp(value) !== null || !/[a-z]/.test(value)) return null;
    return this.#add("domain-name", { value });
  }

  url(text: string): string | null {
    return URL_TEXT.test(text) && URL.canParse(text) ? this.#add("url", { value: text }) : null;
  }

  certificate(
    { fingerprint, subject, issuer, serial, not_before, not_after }: FactsOf<"tls">,
  ): string | null {
    const digits = fingerprint?.replaceAll(":", "").toLowerCase() ?? "";
    const algorithm = /^[0-9a-f]+$/.test(digits) ? HASHES[digits.length] : undefined;
    if (algorithm === undefined) return null;
    const contributing = { hashes: { [algorithm]: digits }, serial_number: serial ?? undefined };
    return this.#add("x509-certificate", contributing, {
      subject: subject ?? undefined,
      issuer: issuer ?? undefined,
      is_self_signed: subject !== null && subject === issuer ? true : undefined,
      validity_not_before: not_before ?? undefined,
      validity_not_after: not_after ?? undefined,
    });
  }

  /** The traffic of a flow with its ends; empty if the records state neither. */
  traffic(flow: CaseFlow): string[] {
    const [src, dst] = [this.address(flow.src.ip), this.address(flow.dst.ip)];
    const ends = [src, dst].filter((id) => id !== null);
    if (ends.length === 0) return [];
    const request = this.#requests.get(flow.flow_id);
    // STIX 2.1 readers differ on an end that equals the start: such an end says nothing and is left out.
    const end = flow.end > flow.start ? flow.end : undefined;
    const contributing = {
      start: flow.start,
      end,
      src_ref: src ?? undefined,
      dst_ref: dst ?? undefined,
      src_port: src === null ? undefined : flow.src.port ?? undefined,
      dst_port: dst === null ? undefined : flow.dst.port ?? undefined,
      protocols: protocolsOf(flow),
      extensions: request === undefined ? undefined : requestOf(request),
    };
    const traffic = this.#add("network-traffic", contributing, {
      is_active: end === undefined ? undefined : false,
      src_byte_count: exact(flow.counters?.src_to_dst.bytes),
      dst_byte_count: exact(flow.counters?.dst_to_src.bytes),
      src_packets: exact(flow.counters?.src_to_dst.packets),
      dst_packets: exact(flow.counters?.dst_to_src.packets),
    });
    return [traffic, ...ends];
  }

  /** What the content of a record names. */
  content({ facts, dst }: Pick<CaseEvidence, "facts" | "dst">): string[] {
    return this.#content(facts, dst).filter((id) => id !== null);
  }

  #content(facts: Facts | null, dst: IncidentParty): (string | null)[] {
    switch (facts?.type) {
      case "dns":
        return [this.domain(facts.query)];
      case "tls":
        return [this.domain(facts.server_name), this.certificate(facts)];
      case "http":
        return [this.domain(facts.host), this.#requested(facts, dst)];
      default:
        return [];
    }
  }

  #requested({ host, uri }: FactsOf<"http">, { port }: IncidentParty): string | null {
    if (host === null || uri === null || !uri.startsWith("/")) return null;
    const place = port === null || port === 80 || host.includes(":") ? host : `${host}:${port}`;
    return this.url(`http://${place}${uri}`);
  }

  #add(type: string, contributing: Record<string, unknown>, further: Record<string, unknown> = {}): string {
    const id = observableId(type, contributing);
    if (!this.#objects.has(id)) {
      this.#objects.set(id, { type, spec_version: "2.1", id, ...stated({ ...contributing, ...further }) });
    }
    return id;
  }
}

/** From the outside in, in lower case: `ipv4`, `tcp`, `http`. */
function protocolsOf({ src, dst, proto, service }: CaseFlow): string[] {
  const ip = (src.ip ?? dst.ip)!.includes(":") ? "ipv6" : "ipv4";
  const inner = service === null ? [] : service.split(",");
  const names = [ip, proto ?? "", ...inner].map((name) => name.toLowerCase().replaceAll(/[^a-z0-9_.-]/g, ""));
  return [...new Set(names.filter((name) => name !== ""))];
}

function requestOf({ method, host, uri, user_agent, version, request_bytes }: FactsOf<"http">) {
  if (method === null || method === "" || uri === null || uri === "") return undefined;
  const header = stated({
    "Host": host === null ? undefined : [host],
    "User-Agent": user_agent === null ? undefined : [user_agent],
  });
  return {
    "http-request-ext": stated({
      request_method: method.toLowerCase(),
      request_value: uri,
      request_version: version === null ? undefined : `http/${version.toLowerCase()}`,
      request_header: Object.keys(header).length === 0 ? undefined : header,
      message_body_length: exact(request_bytes),
    }),
  };
}

/** An integer that STIX allows, up to 2^53 - 1; a larger one would lose digits. */
function exact(count: number | bigint | null | undefined): number | undefined {
  return typeof count === "number" && Number.isSafeInteger(count) ? count : undefined;
}

/** Without the properties that have no value. */
export function stated(properties: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
}
