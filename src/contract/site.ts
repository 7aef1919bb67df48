import { z } from "@hono/zod-openapi";

const Vlan = z.object({
  vlan_id: z.number().int().min(0).max(4095),
  name: z.string(),
  cidrs: z.array(z.string()),
}).openapi("Vlan");

/** A site as configured. */
export const Site = z.object({
  site_id: z.string(),
  display_name: z.string(),
  home_coordinates: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
  vlans: z.array(Vlan),
  time_zone: z.string().openapi({
    description: "IANA time zone in which the site's days begin; `UTC` if sites.yaml names none.",
    example: "Europe/Bucharest",
  }),
});
export type Site = z.infer<typeof Site>;

export const LEARNING_PHASES = ["learning", "complete", "unknown"] as const;

export const LearningProgress = z.object({
  phase: z.enum(LEARNING_PHASES).openapi({
    description:
      "`learning` while the service builds the site's baseline: findings that depend on the baseline stay `info` until " +
      "it is `complete`. `unknown` while there are no records or the store is unavailable.",
  }),
  days: z.number().int().nonnegative().openapi({
    description: "Days with enough records so far, at most `needed_days`.",
  }),
  needed_days: z.number().int().positive(),
}).openapi("LearningProgress");
export type LearningProgress = z.infer<typeof LearningProgress>;

/** The site as the API returns it. */
export const SiteReport = Site.extend({
  learning: LearningProgress,
  require_second_person: z.boolean().openapi({
    description:
      "Whether a response action may be approved only by another person than its proposer (response.yaml).",
  }),
}).openapi("Site");
export type SiteReport = z.infer<typeof SiteReport>;
