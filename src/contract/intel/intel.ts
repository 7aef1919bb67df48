import { z } from "@hono/zod-openapi";
import { Confidence, Id, Ip, Timestamp } from "../request/common.ts";

const INDICATOR_KINDS = ["ip", "cidr", "domain", "url", "ja3", "ja4", "certificate"] as const;

/** What a threat intelligence list says of something that was seen. */
export const IntelReference = z.object({
  list: z.string().openapi({ description: "Name of the list's file.", example: "urlhaus.csv" }),
  kind: z.enum(INDICATOR_KINDS),
  indicator: z.string().openapi({ example: "evil.example" }),
  description: z.string().nullable().openapi({
    description: "What the list says, such as a malware family.",
  }),
  confidence: Confidence.nullable().openapi({ description: "Where the list states one." }),
  listed: z.boolean().openapi({ description: "False once no list names it any more." }),
}).openapi("IntelReference");
export type IntelReference = z.infer<typeof IntelReference>;

/** An indicator that a device met. */
export const IntelMatch = IntelReference.extend({
  ip: Ip.openapi({ description: "The device's address that met it." }),
  via: z.array(z.enum([
    "peer",
    "dns_query",
    "dns_answer",
    "tls_server_name",
    "http_host",
    "url",
    "ja3",
    "ja4",
    "certificate",
  ])).openapi({
    description:
      "How: as the other end of a flow (`peer`), or in what was said. `dns_answer` alone is an address that it was told, " +
      "but may never have talked to.",
  }),
  count: z.number().int().nonnegative().openapi({
    description:
      "Observations since the indicator is listed, and those that were kept when it became so; these are counted in the " +
      "minutes after.",
  }),
  first_seen: Timestamp,
  last_seen: Timestamp,
  evidence_id: Id.openapi({ description: "The newest observation, as long as it is kept." }),
  flow_id: Id,
}).openapi("IntelMatch");
export type IntelMatch = z.infer<typeof IntelMatch>;
