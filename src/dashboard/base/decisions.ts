import { queryOptions } from "@tanstack/react-query";
import type { ResponseAction } from "../../contract/review/response.ts";
import { pageOf } from "./api.ts";

const MOST = 50;

/** What an action does, before the name of its target. */
export const ACTION_VERBS: Readonly<Record<ResponseAction["kind"], string>> = {
  quarantine_device: "Quarantine",
  block_destination: "Block",
  notify_only: "Notify about",
};

/** Proposed response actions, newest first. */
export const pendingDecisions = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, "response-actions", "pending"],
    queryFn: ({ signal }) =>
      pageOf("listResponseActions", { query: { status: "proposed", limit: MOST }, signal }),
    meta: { marks: ["decision"] },
  });

/** Whether a decision waits for the reader: another person, or the automatic mode, proposed the action. */
export function waitsFor(subject: string, { mode, proposed_by }: ResponseAction): boolean {
  return mode === "automatic" || proposed_by !== subject;
}
