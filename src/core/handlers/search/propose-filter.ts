import type { FilterProposal } from "../../../contract/search/filter-proposal.ts";
import { ApiError } from "../../../contract/request/errors.ts";
import { estimatedCost, worstCost } from "../../../domain/analyst/cost.ts";
import { prepareFilterRequest, readFilterAnswer } from "../../../domain/analyst/filter-request.ts";
import type { AnalystPlan, PreparedRequest } from "../../../domain/analyst/plan.ts";
import { normalise } from "../../../contract/filter/normalise.ts";
import type { Handlers } from "../../handler.ts";
import type { AskedModel } from "../analyst/analyst-desk.ts";
import { budgetView, noRoom } from "../analyst/view.ts";
import type { HandlerDeps } from "../deps.ts";
import { interpretationView } from "./interpret.ts";

const PROPOSED = "Proposed by a language model: check the conditions before you rely on the result.";

/** After how many seconds to ask again: a tenant whose questions are being answered, and a provider that limits or fails. */
const BUSY_SECONDS = 5;
const LIMITED_SECONDS = 60;

/** Filters that a language model proposes for questions. They are never executed here. */
export function proposeFilterHandlers(
  deps: Pick<HandlerDeps, "analyst" | "db">,
): Pick<Handlers, "previewFilterProposal" | "proposeFilter"> {
  const prepare = (tenantId: string, query: string) => {
    const plan = deps.analyst?.plan(tenantId) ?? null;
    if (plan === null) throw new ApiError("provider_disabled");
    return { plan, request: requestFor(query, plan) };
  };
  return {
    async previewFilterProposal({ caller: { tenantId }, body }) {
      const { plan, request } = prepare(tenantId, body.query);
      const budget = await deps.db.tenant(tenantId, (tx) => budgetView(tx, tenantId, plan));
      return {
        data: {
          model: modelOf(plan, request),
          sent: { system: request.system, user: request.user },
          sent_parts: [...plan.send],
          placeholders: Object.keys(request.placeholders).length,
          estimated_input_tokens: request.estimatedInputTokens,
          max_output_tokens: plan.maxOutputTokens,
          estimated_microusd: estimatedCost(plan, request),
          worst_microusd: worstCost(plan, request),
          budget,
        },
      };
    },

    async proposeFilter({ caller: { tenantId }, body, now }) {
      const { plan, request } = prepare(tenantId, body.query);
      const asked = await deps.analyst!.ask(tenantId, plan, request);
      if (asked.kind === "no_room") {
        throw noRoom(
          await deps.db.tenant(tenantId, (tx) => budgetView(tx, tenantId, plan)),
          asked.worst,
          now,
        );
      }
      const { text, cost } = answerOf(asked);
      const proposed = readFilterAnswer(text, request);
      if (typeof proposed === "string") {
        throw new ApiError("provider_response_invalid", `The model's answer cannot be used: ${proposed}.`, {
          cost,
        });
      }
      return {
        data: {
          interpretation: interpretationView({
            filter: {
              version: 1,
              kind: proposed.kind,
              where: normalise(proposed.condition),
              window: null,
              zone: body.zone,
            },
            interpretation: "model",
            ranking: null,
            warnings: [PROPOSED],
          }),
          model: modelOf(plan, request),
          cost,
        },
      };
    },
  };
}

/** @throws ApiError invalid_request if the question does not fit */
function requestFor(query: string, plan: AnalystPlan): PreparedRequest {
  const request = prepareFilterRequest(query, plan);
  if (typeof request !== "string") return request;
  throw new ApiError("invalid_request", `query: ${request}`, {
    reason: "invalid_field",
    issues: [{ path: "query", message: request }],
  });
}

function modelOf(plan: AnalystPlan, request: PreparedRequest): FilterProposal["model"] {
  return { provider: plan.provider, model: plan.model, prompt_version: request.promptVersion };
}

/** @throws ApiError if there is no answer */
function answerOf(
  asked: Exclude<AskedModel, { kind: "no_room" }>,
): { text: string; cost: FilterProposal["cost"] } {
  if (asked.kind === "no_provider") throw new ApiError("provider_disabled");
  if (asked.kind === "busy") {
    const message = "The tenant asks its model already; retry when it has answered.";
    throw new ApiError("provider_rate_limited", message, {}, undefined, BUSY_SECONDS);
  }
  const { reply, worst } = asked;
  const cost = {
    input_tokens: asked.cost?.inputTokens ?? null,
    output_tokens: asked.cost?.outputTokens ?? null,
    reserved_microusd: asked.cost === null ? worst : 0,
    spent_microusd: asked.cost?.microusd ?? null,
  };
  if (reply.kind === "failure") {
    const retryAfter = reply.code === "provider_response_invalid" ? null : LIMITED_SECONDS;
    throw new ApiError(reply.code, reply.message, { cost }, undefined, retryAfter);
  }
  return { text: reply.text, cost };
}
