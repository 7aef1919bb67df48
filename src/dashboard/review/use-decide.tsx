import { type ReactNode, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import type { ResponseAction, ResponseDecision } from "../../contract/review/response.ts";
import { useShortcut } from "../base/keys.ts";
import { siteQuery } from "../base/site.ts";
import { useSignedIn } from "../base/session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { formatLabel } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { useToast } from "../ui/toast/toast.ts";
import { ActionDecisionForm } from "./response/action-decision-form.tsx";
import { approvalBar, choicesOf, DECISION_VERBS, KIND_NAMES, targetName } from "./response-labels.ts";

export interface Decide {
  /** Whether the reader may decide at all. */
  allowed: boolean;
  /** Why the reader must not approve the action; null if nothing forbids it. */
  bar: (action: ResponseAction) => string | null;
  run: (action: ResponseAction, decision: ResponseDecision) => void;
  dialog: ReactNode;
}

interface DecideOptions {
  /** What the keys decide on; without it there are no keys. */
  target?: () => ResponseAction | null;
  onDecided?: (action: ResponseAction) => void;
}

/** The decisions on response actions, with their keys and dialog. */
export function useDecide({ target, onDecided }: DecideOptions = {}): Decide {
  const { tenant, session, roles } = useSignedIn();
  const { data: site } = useQuery(siteQuery(tenant));
  const toast = useToast();
  const [open, setOpen] = useState<{ action: ResponseAction; decision: ResponseDecision } | null>(null);
  const allowed = roles.includes("responder");
  const bar = (action: ResponseAction) =>
    approvalBar(action, session.subject, site?.require_second_person ?? false);
  const run = (action: ResponseAction, decision: ResponseDecision) => {
    if (!allowed || !choicesOf(action).includes(decision)) return;
    const reason = decision === "approved" ? bar(action) : null;
    if (reason !== null) return toast({ kind: "error", text: reason });
    setOpen({ action, decision });
  };
  const key = (keys: string, decision: ResponseDecision) =>
    ({
      keys,
      label: `${DECISION_VERBS[decision]} the action`,
      group: "Decision",
      enabled: allowed && target !== undefined,
      run: () => {
        const action = target?.() ?? null;
        if (action === null) return false;
        run(action, decision);
      },
    }) as const;
  useShortcut(key("a", "approved"));
  useShortcut(key("r", "rejected"));
  useShortcut(key("c", "cancelled"));
  const close = () => setOpen(null);
  const dialog = (
    <Dialog
      title={open === null ? "" : `${DECISION_VERBS[open.decision]} an action`}
      open={open !== null}
      close={close}
    >
      {open && (
        <ActionDecisionForm
          action={open.action}
          decision={open.decision}
          saved={(action) => {
            close();
            const name = [KIND_NAMES[action.kind], targetName(action)].filter(Boolean).join(" ");
            toast({ text: `${name}: ${formatLabel(action.status).toLowerCase()}.` });
            onDecided?.(action);
          }}
          cancel={close}
        />
      )}
    </Dialog>
  );
  return { allowed, bar, run, dialog };
}

interface ButtonsProps {
  action: ResponseAction;
  decide: Decide;
  /** Shows the keys. */
  keys?: boolean;
}

const KEYS: Record<ResponseDecision, string> = { approved: "a", rejected: "r", cancelled: "c" };

/** The decisions that are possible now; none for a person who may not decide. */
export function DecisionButtons({ action, decide, keys = false }: ButtonsProps) {
  const choices = choicesOf(action);
  if (!decide.allowed || choices.length === 0) return null;
  const bar = decide.bar(action);
  return (
    <>
      <div className="response-choices" role="group" aria-label="Decide">
        {choices.filter((choice) => choice !== "approved" || bar === null).map((choice) => (
          <button
            key={choice}
            type="button"
            className={choice === "approved" ? "button button-primary" : "button"}
            onClick={() => decide.run(action, choice)}
          >
            {DECISION_VERBS[choice]}… {keys && <kbd>{KEYS[choice]}</kbd>}
          </button>
        ))}
      </div>
      {bar !== null && (
        <p className="notice">
          <Icon name="lock" />
          <span>{bar}</span>
        </p>
      )}
    </>
  );
}
