import { isId } from "../../../contract/request/common.ts";
import { ApiError } from "../../../contract/request/errors.ts";
import type {
  Proposal,
  ProposalContent,
  ProposalDetail,
  ProposalKind,
} from "../../../contract/review/proposal.ts";
import { DETECTORS } from "../../../domain/detect/registry.ts";
import { AlreadyDecidedError, decide } from "../../../domain/review/proposal/decision.ts";
import { formatMillis } from "../../../kit/time.ts";
import type { Tx } from "../../../store/engine/database.ts";
import { deviceById } from "../../../store/device/read.ts";
import { addHistory, readHistory } from "../../../store/incident/history.ts";
import { incidentById } from "../../../store/incident/read.ts";
import {
  decideProposal,
  insertProposal,
  listProposals,
  proposalById,
  type ProposalRow,
} from "../../../store/review/proposals.ts";
import { fieldError, illegalTransition } from "../../field-error.ts";
import type { Caller, Handlers, WriteCall } from "../../handler.ts";
import type { HandlerDeps } from "../deps.ts";
import { confirmDevice } from "../device/confirm.ts";
import { historyView } from "../device/view.ts";
import { endPage } from "../page.ts";
import { DEFAULT_LIMIT, newId, pathId } from "../params.ts";

type ProposalOperation =
  | "suggestClassification"
  | "proposeModelChange"
  | "proposeTriage"
  | "listProposals"
  | "getProposal"
  | "decideProposal";

export function proposalHandlers(deps: HandlerDeps): Pick<Handlers, ProposalOperation> {
  return {
    async suggestClassification(call) {
      const { caller, params, body, tx } = call;
      const device = await deviceById(tx, caller.tenantId, pathId(params, "device_id"));
      if (!device) throw new ApiError("not_found");
      const content = { device_type: body.device_type };
      return await propose(call, "classification", device.device_id, content, body.reason);
    },

    async proposeModelChange(call) {
      const { model_id: modelId, action, details, reason } = call.body;
      if (!DETECTORS.some(({ info }) => info.modelId === modelId)) {
        throw fieldError("model_id", "expected the model id of a detector");
      }
      return await propose(call, "model", modelId, { action, details }, reason);
    },

    async proposeTriage(call) {
      const { caller, body, tx } = call;
      const incident = isId(body.incident_id)
        ? await incidentById(tx, caller.tenantId, body.incident_id)
        : null;
      if (!incident) throw new ApiError("not_found", "The incident does not exist.");
      const content = { incident_status: body.incident_status };
      return await propose(call, "triage", incident.incident_id, content, body.reason);
    },

    async listProposals({ caller: { tenantId }, query, now }) {
      const limit = query.limit ?? DEFAULT_LIMIT;
      const scope = { tenantId, operation: "listProposals", filter: query };
      const before = deps.cursors.open<string>(scope, query.cursor, now);
      const filter = { kind: query.kind, targetId: query.target_id, status: query.status };
      const rows = await deps.db.tenant(
        tenantId,
        (tx) => listProposals(tx, tenantId, filter, before, limit + 1),
      );
      const found = rows.slice(0, limit).map(view);
      const { page: data, more } = endPage(found, rows.length > limit, deps.pageBytes);
      const last = data.at(-1)?.proposal_id;
      return { data, nextCursor: more ? deps.cursors.seal(scope, last, now) : null };
    },

    async getProposal({ caller: { tenantId }, params }) {
      const id = pathId(params, "proposal_id");
      const data = await deps.db.tenant(tenantId, async (tx) => {
        return await detail(tx, tenantId, await existing(tx, tenantId, id));
      });
      return { data, etag: data.revision };
    },

    async decideProposal({ caller, params, body, ifMatch, tx, now }) {
      const { tenantId, subject } = caller;
      const before = await existing(tx, tenantId, pathId(params, "proposal_id"));
      if (before.revision !== ifMatch) throw conflict(before);
      const effect = effectOf(before, body.decision);
      const comment = body.comment ?? null;
      const decided = { decision: body.decision, by: subject, at: now, comment };
      const changed = await decideProposal(tx, tenantId, before.proposal_id, ifMatch, decided);
      const after = await existing(tx, tenantId, before.proposal_id);
      if (!changed) throw conflict(after);
      if (effect === "confirm_classification") await confirmProposed(tx, caller, after, now);
      await addHistory(tx, tenantId, after.proposal_id, {
        at: now,
        actor: subject,
        action: "decided",
        from: before.status,
        to: after.status,
        comment,
        revision: after.revision,
      });
      return {
        data: await detail(tx, tenantId, after),
        etag: after.revision,
        before: { status: before.status },
      };
    },
  };
}

async function propose(
  { caller: { tenantId, subject }, tx, now }: Pick<WriteCall<unknown, unknown>, "caller" | "tx" | "now">,
  kind: ProposalKind,
  targetId: string,
  content: ProposalContent,
  reason: string,
) {
  const id = newId(now);
  await insertProposal(tx, tenantId, {
    proposal_id: id,
    kind,
    target_id: targetId,
    content,
    reason,
    created_by: subject,
    created_at: now,
  });
  const row = await existing(tx, tenantId, id);
  await addHistory(tx, tenantId, id, {
    at: now,
    actor: subject,
    action: "proposed",
    from: null,
    to: null,
    comment: reason,
    revision: row.revision,
  });
  return { data: await detail(tx, tenantId, row), etag: row.revision };
}

function effectOf(proposal: ProposalRow, decision: "accepted" | "rejected"): ReturnType<typeof decide> {
  try {
    return decide(proposal, decision);
  } catch (error) {
    if (!(error instanceof AlreadyDecidedError)) throw error;
    throw illegalTransition("decision", error.message);
  }
}

/** Confirms the proposed type on the current device, on behalf of the deciding user. */
async function confirmProposed(tx: Tx, caller: Caller, proposal: ProposalRow, now: number): Promise<void> {
  const { target_id: targetId, content } = proposal;
  const device = await deviceById(tx, caller.tenantId, targetId);
  if (!device || !("device_type" in content)) throw new ApiError("not_found", "The device no longer exists.");
  const patch = { device_type: content.device_type };
  const change = { patch, revision: device.revision, now, comment: `Proposed: ${proposal.reason}` };
  if (await confirmDevice(tx, caller, device, change) === null) {
    throw new ApiError("revision_conflict", "The device was changed concurrently; retry the decision.");
  }
}

function conflict({ revision }: ProposalRow): ApiError {
  return new ApiError("revision_conflict", undefined, { revision });
}

/** @throws ApiError not_found */
async function existing(tx: Tx, tenantId: string, id: string): Promise<ProposalRow> {
  const row = await proposalById(tx, tenantId, id);
  if (!row) throw new ApiError("not_found");
  return row;
}

async function detail(tx: Tx, tenantId: string, row: ProposalRow): Promise<ProposalDetail> {
  return { ...view(row), workflow_history: historyView(await readHistory(tx, tenantId, row.proposal_id)) };
}

function view(row: ProposalRow): Proposal {
  return {
    proposal_id: row.proposal_id,
    kind: row.kind,
    target_id: row.target_id,
    status: row.status,
    content: row.content,
    reason: row.reason,
    created_by: row.created_by,
    created_at: formatMillis(row.created_at),
    decided_by: row.decided_by,
    decided_at: row.decided_at === null ? null : formatMillis(row.decided_at),
    comment: row.comment,
    revision: row.revision,
  };
}
