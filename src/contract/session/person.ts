import { z } from "@hono/zod-openapi";
import { PageQuery, Timestamp } from "../request/common.ts";
import { ROLES } from "../record/kinds.ts";

/** Someone who has signed in to the tenant. */
export const Person = z.object({
  subject: z.string().openapi({
    description: "The subject from the identity provider, as in histories, `assignee` and the audit.",
  }),
  name: z.string().openapi({ description: "Name or e-mail address at the last sign-in." }),
  roles: z.array(z.enum(ROLES)).openapi({ description: "Roles in this tenant at that time." }),
  last_seen: Timestamp.openapi({ description: "Last sign-in, or last selection of this tenant." }),
}).openapi("Person");
export type Person = z.infer<typeof Person>;

export const PersonQuery = PageQuery;
