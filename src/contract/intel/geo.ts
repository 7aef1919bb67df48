import { z } from "@hono/zod-openapi";

/** Location and network of an address, from the currently installed GeoIP databases. */
export const Geo = z.object({
  country: z.string().nullable().openapi({ description: "ISO 3166-1 alpha-2.", example: "RO" }),
  city: z.string().nullable(),
  asn: z.number().int().nullable(),
  as_organisation: z.string().nullable(),
}).openapi("Geo");
export type Geo = z.infer<typeof Geo>;

/** Null if no database contains the address. */
export const NullableGeo = Geo.nullable().openapi({
  description: "Null if no database contains the address or none is installed.",
});
