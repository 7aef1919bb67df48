import { z } from "@hono/zod-openapi";

const Vlan = z.object({
  vlan_id: z.number().int().min(0).max(4095),
  name: z.string(),
  cidrs: z.array(z.string()),
}).openapi("Vlan");

/** What the deployment says of a site. */
export const Site = z.object({
  site_id: z.string(),
  display_name: z.string(),
  home_coordinates: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
  vlans: z.array(Vlan),
});
export type Site = z.infer<typeof Site>;

export const LEARNING_PHASES = ["learning", "complete", "unknown"] as const;

export const LearningProgress = z.object({
  phase: z.enum(LEARNING_PHASES).openapi({
    description:
      "`learning` while it is being learned what is usual at this site: what only that would tell stays `info` until " +
      "it is `complete`. `unknown` as long as there are no records, or the store cannot be read.",
  }),
  days: z.number().int().nonnegative().openapi({
    description: "Different days that have brought enough records, at most `needed_days`.",
  }),
  needed_days: z.number().int().positive(),
}).openapi("LearningProgress");
export type LearningProgress = z.infer<typeof LearningProgress>;

/** What is answered of it. */
export const SiteReport = Site.extend({ learning: LearningProgress }).openapi("Site");
export type SiteReport = z.infer<typeof SiteReport>;
