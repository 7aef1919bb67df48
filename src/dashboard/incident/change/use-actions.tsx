import { type ReactNode, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import type { IncidentStatus } from "../../../contract/record/kinds.ts";
import { useShortcut } from "../../base/keys.ts";
import { usePersonName } from "../../base/people.ts";
import { useSignedIn } from "../../base/session.ts";
import { usePart } from "../../entity/parts.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { formatLabel, plural } from "../../ui/format.ts";
import { useToast } from "../../ui/toast/toast.ts";
import { AssignDialog } from "./assign-dialog.tsx";
import {
  type Change,
  makeChange,
  makeChanges,
  needsComment,
  type Outcome,
  reverseOf,
  type Seen,
} from "./changes.ts";
import { CommentForm } from "./comment-form.tsx";
import { StatusDialog } from "./status-dialog.tsx";
import { SuppressDialog } from "./suppress-dialog.tsx";

export type IncidentAction =
  | { kind: "status"; status: IncidentStatus }
  | { kind: "assign" }
  | { kind: "comment" }
  | { kind: "suppress" }
  | { kind: "propose" }
  | { kind: "feedback" };

/** Actions that are about one incident each. */
const SINGLE: readonly IncidentAction["kind"][] = ["comment", "suppress", "propose", "feedback"];

interface ActionsOptions {
  /** What the keys act on: the selected rows, the active one, or the page's incident. */
  targets: () => readonly Seen[];
  /** After a change of all targets. */
  onChanged?: (targets: readonly Seen[]) => void;
  /** In place of the comment dialog. */
  comment?: () => void;
}

export interface IncidentActions {
  /** Whether the reader may change incidents. */
  allowed: boolean;
  run: (action: IncidentAction, targets?: readonly Seen[]) => void;
  dialogs: ReactNode;
}

const TITLES: Record<IncidentStatus, string> = {
  open: "Reopen",
  investigating: "Investigate",
  resolved: "Resolve",
  false_positive: "False positive",
};

/** What happened, as a sentence for the toast. */
function sentenceOf(change: Change, { done }: Outcome, nameOf: (subject: string) => string): string {
  const [first] = done;
  const what = done.length === 1 && first ? `“${first.after.title}”` : plural(done.length, "incident");
  if (change.kind === "assignee") {
    return change.assignee === null
      ? `${what} unassigned.`
      : `${what} assigned to ${nameOf(change.assignee)}.`;
  }
  return `${what}: ${formatLabel(change.status).toLowerCase()}.`;
}

/** The actions on incidents, their keys and dialogs. A role that may not change incidents has none of them. */
export function useIncidentActions({ targets, onChanged, comment }: ActionsOptions): IncidentActions {
  const { tenant, session, roles } = useSignedIn();
  const client = useQueryClient();
  const toast = useToast();
  const nameOf = usePersonName();
  const IncidentFeedback = usePart("IncidentFeedback");
  const TriageProposalForm = usePart("TriageProposalForm");
  const [open, setOpen] = useState<{ action: IncidentAction; targets: readonly Seen[] } | null>(null);
  const allowed = roles.includes("analyst");
  const close = () => setOpen(null);

  const refresh = () => void client.invalidateQueries({ queryKey: [tenant] });
  const announce = (change: Change, outcome: Outcome, about: readonly Seen[]) => {
    close();
    const { done } = outcome;
    if (done.length > 0) {
      toast({
        text: sentenceOf(change, outcome, nameOf),
        undo: async () => {
          try {
            await undo(outcome, change, session.csrf_token);
          } finally {
            refresh();
          }
        },
      });
    }
    onChanged?.(about);
  };
  /** Changes that need no comment happen at once; a failure is listed in the dialog. */
  const changeNow = async (status: IncidentStatus, about: readonly Seen[]) => {
    const change: Change = { kind: "status", status, comment: "" };
    const outcome = await makeChanges(about, change, session.csrf_token);
    refresh();
    if (outcome.failed.length > 0) setOpen({ action: { kind: "status", status }, targets: about });
    else announce(change, outcome, about);
  };
  const run = (action: IncidentAction, about = targets()) => {
    if (!allowed || about.length === 0) return;
    if (action.kind === "status" && !needsComment(action.status)) return void changeNow(action.status, about);
    if (action.kind === "comment" && comment !== undefined) return comment();
    if (SINGLE.includes(action.kind) && about.length > 1) {
      return toast({ kind: "error", text: `${titleOf(action)}: select one incident at a time.` });
    }
    setOpen({ action, targets: about });
  };
  const key = (keys: string, label: string, action: IncidentAction) =>
    ({
      keys,
      label,
      group: "Incident",
      enabled: allowed,
      run: () => targets().length > 0 ? run(action) : false,
    }) as const;
  useShortcut(key("e", "Resolve", { kind: "status", status: "resolved" }));
  useShortcut(key("f", "Mark as false positive", { kind: "status", status: "false_positive" }));
  useShortcut(key("a", "Assign", { kind: "assign" }));
  useShortcut(key("c", "Comment", { kind: "comment" }));
  useShortcut(key("s", "Suppress the pattern", { kind: "suppress" }));

  const action = open?.action;
  const about = open?.targets ?? [];
  const dialogs = (
    <Dialog title={action === undefined ? "" : titleOf(action)} open={open !== null} close={close}>
      {action?.kind === "status" && (
        <StatusDialog
          targets={about}
          status={action.status}
          done={(outcome, change) => announce(change, outcome, about)}
          cancel={close}
        />
      )}
      {action?.kind === "assign" && (
        <AssignDialog
          targets={about}
          done={(outcome, change) => announce(change, outcome, about)}
          cancel={close}
        />
      )}
      {action?.kind === "comment" && (
        <CommentForm
          incidentId={about[0]!.id}
          autoFocus
          done={() => {
            close();
            toast({ text: "Comment saved." });
          }}
        />
      )}
      {action?.kind === "suppress" && (
        <SuppressDialog
          incidentId={about[0]!.id}
          saved={() => {
            close();
            toast({ text: "Pattern suppressed." });
            onChanged?.(about);
          }}
          cancel={close}
        />
      )}
      {action?.kind === "propose" && <TriageProposalForm incident={about[0]!} close={close} />}
      {action?.kind === "feedback" && <IncidentFeedback incidentId={about[0]!.id} close={close} />}
    </Dialog>
  );
  return { allowed, run, dialogs };
}

function titleOf(action: IncidentAction): string {
  switch (action.kind) {
    case "status":
      return TITLES[action.status];
    case "assign":
      return "Assign";
    case "comment":
      return "Comment";
    case "suppress":
      return "Suppress a pattern";
    case "propose":
      return "Propose a status";
    case "feedback":
      return "Give feedback";
  }
}

/** Takes a change of each incident back. */
async function undo({ done }: Outcome, change: Change, csrf: string): Promise<void> {
  const failed: string[] = [];
  for (const { before, after } of done) {
    try {
      await makeChange(after, reverseOf(before, change, "Undone."), csrf);
    } catch {
      failed.push(after.title);
    }
  }
  if (failed.length > 0) {
    throw new Error(`${plural(failed.length, "incident")} changed meanwhile: ${failed.join("; ")}.`);
  }
}
