import { FilterQuery, Zone } from "../search/filter.ts";
import { z } from "@hono/zod-openapi";
import { bothWays, line, PageQuery, sortOf, TimestampInput, WindowQuery } from "../request/common.ts";

const VLAN = "expected an integer from 0 to 4095";
const RISK = "expected a score from 0 to 100";

const DEVICE_ORDERS = [
  "last_seen",
  "first_seen",
  "score",
  "display_name",
  "address",
  "device_type",
  "owner",
  "vlan",
  "tags",
  "incident_count",
] as const;
export type DeviceOrder = (typeof DEVICE_ORDERS)[number];

/** Orders of the device list; the first is the default. */
export const DEVICE_SORTS = bothWays(DEVICE_ORDERS);
export type DeviceSort = (typeof DEVICE_SORTS)[number];

export const DeviceQuery = PageQuery.extend({
  ...FilterQuery,
  sort: sortOf(DEVICE_SORTS, "-first_seen", {
    more:
      "An unknown value comes last in both directions. Texts are compared without the case of ASCII letters, by their first " +
      "256 characters, `address` as a number by the first of `addresses`, `vlan` by the first of `vlan_ids`, and `tags` by " +
      "all of them in their order. `last_seen` lists what was last seen before its first page.",
  }),
  query: line(200).optional().openapi({
    description:
      "Part of the name, owner or a tag, case-insensitive; or part of an address, or a full address in any spelling.",
    example: "front",
  }),
  vlan_id: z.string().regex(/^\d{1,4}$/, VLAN).transform(Number)
    .pipe(z.number().max(4095, VLAN)).optional()
    .openapi({
      type: "integer",
      minimum: 0,
      maximum: 4095,
      description: "Devices in this VLAN.",
      example: 20,
    }),
  device_type: line(64).optional().openapi({ description: "Exactly this type.", example: "workstation" }),
  risk_min: z.string().regex(/^\d{1,3}(\.\d{1,9})?$/, RISK).transform(Number)
    .pipe(z.number().max(100, RISK)).optional()
    .openapi({
      type: "number",
      minimum: 0,
      maximum: 100,
      description: "Devices with at least this score.",
      example: 40,
    }),
  seen_after: TimestampInput.optional().openapi({
    description: "Devices with a later `last_seen`; the list has no time window.",
    example: "2026-01-31T07:00:00Z",
  }),
});
export const DeviceDetailQuery = WindowQuery.extend({
  zone: Zone.default("UTC").openapi({
    description: "IANA time zone of the hours and weekdays in `pattern_grid`.",
    example: "Europe/Berlin",
  }),
});
