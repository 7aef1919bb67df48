import { ApiError } from "../../contract/request/errors.ts";
import type { LearningProgress } from "../../contract/site.ts";
import { LEARNING, learningPhase } from "../../domain/detect/kernel/learning.ts";
import { type Database, StoreUnavailable } from "../../store/engine/database.ts";
import { readStates, stateKeyHash } from "../../store/detector/state.ts";
import type { Handlers } from "../handler.ts";
import type { HandlerDeps } from "./deps.ts";

export function siteHandlers({ db, tenants, secondPerson }: HandlerDeps): Pick<Handlers, "getSite"> {
  return {
    getSite: async ({ caller }) => {
      const tenant = tenants.get(caller.tenantId);
      if (!tenant) throw new ApiError("not_found");
      const data = {
        ...tenant.site,
        learning: await learningOf(db, caller.tenantId),
        require_second_person: secondPerson?.isRequired(caller.tenantId) ?? false,
      };
      return { data };
    },
  };
}

/**
 * Learning progress; unknown while the store is unavailable, since the configuration can be served without
 * it.
 */
async function learningOf(db: Database, tenantId: string): Promise<LearningProgress> {
  try {
    const key = { typeId: LEARNING.id, keyHash: stateKeyHash("") };
    const [stored] = await db.tenant(tenantId, (tx) => readStates(tx, tenantId, [key]));
    return progressOf(stored === undefined ? LEARNING.empty() : LEARNING.decode(stored.state));
  } catch (error) {
    if (error instanceof StoreUnavailable) return progressOf(LEARNING.empty());
    throw error;
  }
}

function progressOf(state: ReturnType<typeof LEARNING.empty>): LearningProgress {
  const { phase, days, needed } = learningPhase(state);
  return { phase, days, needed_days: needed };
}
