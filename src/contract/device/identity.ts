import { z } from "@hono/zod-openapi";
import { Id, Timestamp } from "../request/common.ts";

/** A property that identifies a machine independently of its address. */
export const DeviceIdentity = z.object({
  class: z.string().openapi({
    description:
      "`mac`, `dhcp_client_id`, `dhcp_hostname`, `dhcp_vendor_class`, `smb_host`, `kerberos_principal`, `ssh_host_key`, " +
      "`tls_certificate`, `tls_client` (JA4), `ssh_client` (HASSH), `ip_static`, `inventory`.",
  }),
  value: z.string(),
  source: z.string().openapi({ description: "The kind of sensor that reported it, or `inventory`." }),
  weight: z.number().openapi({
    description:
      "How strongly an equal value on another device shows that both are the same machine: 1 would be certain; 0 is a " +
      "value without identity, such as a default host name. Devices are merged from 0.8, never by a randomized MAC alone.",
  }),
  first_seen: Timestamp,
  last_seen: Timestamp,
  observed_days: z.number().int().openapi({
    description: "UTC days on which the identity job saw it.",
  }),
  randomized: z.boolean().openapi({
    description: "The value is, or is derived from, a locally administered MAC address.",
  }),
  confirming: z.boolean().openapi({
    description: "Whether it can confirm that two devices are the same machine.",
  }),
  shared: z.boolean().openapi({
    description:
      "Whether several machines have it at the same time, as cloned systems do; it then carries no weight.",
  }),
}).openapi("DeviceIdentity");
export type DeviceIdentity = z.infer<typeof DeviceIdentity>;

/** A merge of one device into another, and its reversal, if any. */
export const DeviceMerge = z.object({
  merge_id: Id,
  at: Timestamp,
  from_device_id: Id.openapi({ description: "The device that was merged into the other." }),
  into_device_id: Id,
  reason: z.string(),
  weight: z.number(),
  anchors: z.array(z.object({ class: z.string(), value: z.string(), weight: z.number() })).openapi({
    description: "Properties that both had in common.",
  }),
  undone_at: Timestamp.nullable().openapi({ description: "Null while the merge is active." }),
  undo_cause: z.enum(["contradicted", "outranked", "switched_off"]).nullable().openapi({
    description:
      "`contradicted`: later evidence shows two machines, which are not merged again; `outranked`: a user or the inventory " +
      "named the merged device, which takes the other's place; `switched_off`: the identity job was disabled.",
  }),
  undo_reason: z.string().nullable(),
}).openapi("DeviceMerge");
export type DeviceMerge = z.infer<typeof DeviceMerge>;
