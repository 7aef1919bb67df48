import { z } from "@hono/zod-openapi";
import { Id, Timestamp } from "../request/common.ts";

/** Something that identifies a machine, whatever address it has. */
export const DeviceIdentity = z.object({
  class: z.string().openapi({
    description:
      "`mac`, `dhcp_client_id`, `dhcp_hostname`, `dhcp_vendor_class`, `smb_host`, `kerberos_principal`, `ssh_host_key`, " +
      "`tls_certificate`, `tls_client` (JA4), `ssh_client` (HASSH), `ip_static`, `inventory`.",
  }),
  value: z.string(),
  source: z.string().openapi({ description: "The kind of sensor that saw it, or `inventory`." }),
  weight: z.number().openapi({
    description:
      "How far an equal value on another device shows that both are one: 1 would be certain, and 0 is a value that " +
      "identifies nobody, such as a default host name. Devices are merged from 0.8 on, never by a randomized MAC alone.",
  }),
  first_seen: Timestamp,
  last_seen: Timestamp,
  observed_days: z.number().int().openapi({
    description: "UTC days on which it was seen, as far as the identity job looked on them.",
  }),
  randomized: z.boolean().openapi({
    description: "It is, or is made of, a locally administered MAC address.",
  }),
  confirming: z.boolean().openapi({ description: "It can confirm that two devices are one." }),
  shared: z.boolean().openapi({
    description:
      "Several machines have it at the same time, as copies of one system do: it then shows nothing.",
  }),
}).openapi("DeviceIdentity");
export type DeviceIdentity = z.infer<typeof DeviceIdentity>;

/** That one device was taken to be another one's, and perhaps that this was taken back. */
export const DeviceMerge = z.object({
  merge_id: Id,
  at: Timestamp,
  from_device_id: Id.openapi({ description: "The device that since then shows as the other." }),
  into_device_id: Id,
  reason: z.string(),
  weight: z.number(),
  anchors: z.array(z.object({ class: z.string(), value: z.string(), weight: z.number() })).openapi({
    description: "What both had in common.",
  }),
  undone_at: Timestamp.nullable().openapi({ description: "Null while it is in force." }),
  undo_cause: z.enum(["contradicted", "outranked", "switched_off"]).nullable().openapi({
    description:
      "`contradicted`: later evidence shows two machines, and they are not merged again; `outranked`: a person or the " +
      "inventory named the device that did not show, and it takes the other's place; `switched_off`: the identity job was.",
  }),
  undo_reason: z.string().nullable(),
}).openapi("DeviceMerge");
export type DeviceMerge = z.infer<typeof DeviceMerge>;
