import { z } from "@hono/zod-openapi";

/** Where an address is, and whose network it is in, as the deployment's databases have it now. */
export const Geo = z.object({
  country: z.string().nullable().openapi({ description: "ISO 3166-1 alpha-2.", example: "RO" }),
  city: z.string().nullable(),
  asn: z.number().int().nullable(),
  as_organisation: z.string().nullable(),
}).openapi("Geo");
export type Geo = z.infer<typeof Geo>;

/** Null where no database knows the address, or there is none. */
export const NullableGeo = Geo.nullable().openapi({
  description: "Null where no database knows the address, or there is none.",
});
