import { z } from "@hono/zod-openapi";

export const Vlan = z.object({
  vlan_id: z.number().int().min(0).max(4095),
  name: z.string(),
  cidrs: z.array(z.string()),
}).openapi("Vlan");

export const Site = z.object({
  site_id: z.string(),
  display_name: z.string(),
  home_coordinates: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
  vlans: z.array(Vlan),
}).openapi("Site");
export type Site = z.infer<typeof Site>;
