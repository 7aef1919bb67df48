// Preparations for each operation to succeed.

import assert from "node:assert/strict";
import { type OperationId, type Route, ROUTES } from "../../../../src/contract/routes.ts";
import type { Drive } from "./driver.ts";

/** The form of a session cookie, without a session. */
export const FORGED_TOKEN = "A".repeat(43);

type IdName = "suppression_id" | "proposal_id" | "action_id" | "saved_search_id" | "run_id";

/** For each path parameter that names an object: the operation that creates one. */
const MADE_BY: Record<string, OperationId | undefined> = {
  suppression_id: "createSuppression",
  proposal_id: "suggestClassification",
  action_id: "proposeResponseAction",
  saved_search_id: "createSavedSearch",
  run_id: "createAnalystRun",
};

/** The path of an operation, and the revision of its object. */
export async function prepare(
  drive: Drive,
  id: OperationId,
): Promise<{ path: Record<string, string>; revision: number | null }> {
  if (id === "proposeResponseAction") await cancelOpenActions(drive);
  if (id === "createAnalystRun") await cancelOpenRuns(drive);
  if (id === "patchIncident") await reopenIncident(drive);
  const route: Route = ROUTES[id];
  const [name] = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  if (name === undefined) return { path: {}, revision: null };

  const maker = MADE_BY[name];
  if (maker) {
    const { data } = (await succeed(drive, maker)).body;
    if (id === "giveAnalystFeedback") {
      return await answered(drive, (data as unknown as { run_id: string }).run_id);
    }
    return {
      path: { [name]: (data as unknown as Record<IdName, string>)[name as IdName] },
      revision: data.revision,
    };
  }
  const example = name === "evidence_id" ? "CONN_EVIDENCE_ID" : name.toUpperCase();
  const known = drive.known[example as keyof Drive["known"]];
  assert.ok(known, `${id}: no ${name} is known`);
  return {
    path: { [name]: known },
    revision: route.revisioned ? await revisionOf(drive, route, known) : null,
  };
}

async function succeed(drive: Drive, id: OperationId) {
  const answer = await drive.send(id, await drive.good(id));
  assert.equal(answer.status, ROUTES[id].status, `${id}: ${answer.text}`);
  return answer;
}

async function revisionOf(drive: Drive, route: Route, objectId: string): Promise<number> {
  // The object whose field or action the path names.
  const object = route.path.slice(0, route.path.indexOf("}") + 1);
  const [reader] = (Object.entries(ROUTES) as [OperationId, Route][])
    .find(([, { method, path }]) => method === "GET" && path === object)!;
  const [name] = route.path.match(/(?<=\{)\w+/)!;
  const { body } = await drive.send(reader, { path: { [name]: objectId }, query: [], headers: {} });
  return body.data.revision;
}

/** Only one run of an incident may be open. */
async function cancelOpenRuns(drive: Drive): Promise<void> {
  for (const state of ["queued", "running"]) {
    const { body } = await drive.send("listAnalystRuns", {
      path: {},
      query: [["state", state]],
      headers: {},
    });
    for (const { run_id, revision } of body.data) {
      const answer = await drive.send("cancelAnalystRun", {
        path: { run_id },
        query: [],
        headers: { "idempotency-key": crypto.randomUUID(), "if-match": `"${revision}"` },
        body: {},
      });
      assert.equal(answer.status, 200, answer.text);
    }
  }
}

/** Feedback is given on an answer. */
async function answered(drive: Drive, runId: string) {
  await drive.answerRun(runId);
  const path = { run_id: runId };
  const { body } = await drive.send("getAnalystRun", { path, query: [], headers: {} });
  return { path, revision: body.data.revision };
}

/** Only one action of a kind may be open for a target. */
async function cancelOpenActions(drive: Drive): Promise<void> {
  const { body } = await drive.send("listResponseActions", { path: {}, query: [], headers: {} });
  for (const { action_id, status, revision } of body.data) {
    if (!["proposed", "approved"].includes(status)) continue;
    const answer = await drive.send("decideResponseAction", {
      path: { action_id },
      query: [],
      headers: { "idempotency-key": crypto.randomUUID(), "if-match": `"${revision}"` },
      body: { decision: "cancelled" },
    });
    assert.equal(answer.status, 200, answer.text);
  }
}

/** The example changes an open incident; its current status would be refused. */
async function reopenIncident(drive: Drive): Promise<void> {
  const path = { incident_id: drive.known.INCIDENT_ID! };
  const { body } = await drive.send("getIncident", { path, query: [], headers: {} });
  if (body.data.status === "open") return;
  const answer = await drive.send("patchIncident", {
    path,
    query: [],
    headers: { "idempotency-key": crypto.randomUUID(), "if-match": `"${body.data.revision}"` },
    body: { status: "open", comment: "Once more." },
  });
  assert.equal(answer.status, 200, answer.text);
}
