import { z } from "@hono/zod-openapi";
import { AnalystCost, AnalystModel } from "../analyst/analyst-run.ts";
import { Interpretation, InterpretRequest } from "./search.ts";

/** A question for a language model: one that the grammar declines. */
export const FilterQuestion = z.strictObject({
  query: InterpretRequest.shape.query.min(1),
  zone: InterpretRequest.shape.zone,
}).openapi("FilterQuestion");

/** A filter that a model proposed. It was parsed and checked, and not executed. */
export const FilterProposal = z.object({
  interpretation: Interpretation,
  model: AnalystModel,
  cost: AnalystCost,
}).openapi("FilterProposal");
export type FilterProposal = z.infer<typeof FilterProposal>;
