import { z } from "@hono/zod-openapi";
import { Confidence, Id, Ip, Timestamp } from "../request/common.ts";

const INDICATOR_KINDS = ["ip", "cidr", "domain", "url", "ja3", "ja4", "certificate"] as const;

/** A threat intelligence indicator that was matched. */
export const IntelReference = z.object({
  list: z.string().openapi({ description: "File name of the list.", example: "urlhaus.csv" }),
  kind: z.enum(INDICATOR_KINDS),
  indicator: z.string().openapi({ example: "evil.example" }),
  description: z.string().nullable().openapi({
    description: "Description from the list, such as a malware family.",
  }),
  confidence: Confidence.nullable().openapi({ description: "Confidence from the list, if stated." }),
  listed: z.boolean().openapi({ description: "False once no list contains it." }),
}).openapi("IntelReference");
export type IntelReference = z.infer<typeof IntelReference>;

/** An indicator that a device matched. */
export const IntelMatch = IntelReference.extend({
  ip: Ip.openapi({ description: "The device's address that matched." }),
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
      "How it matched: as the other end of a flow (`peer`) or in protocol content. `dns_answer` alone is an address that the " +
      "device received in an answer but may never have contacted.",
  }),
  count: z.number().int().nonnegative().openapi({
    description:
      "Observations since the indicator was listed, plus retained earlier ones, which are counted within minutes after " +
      "listing.",
  }),
  first_seen: Timestamp,
  last_seen: Timestamp,
  evidence_id: Id.openapi({ description: "The newest observation, while it is retained." }),
  flow_id: Id,
}).openapi("IntelMatch");
export type IntelMatch = z.infer<typeof IntelMatch>;
