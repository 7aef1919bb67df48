/// <reference lib="dom" />
import { type FormEvent, useRef } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ResponseAction, ResponseDecision } from "../../contract/review/response.ts";
import { ApiFailure, write } from "../app/api.ts";
import { newKey } from "../app/idempotency.ts";
import { DECISION_VERBS } from "./response-labels.ts";
import { useSignedIn } from "../app/session.ts";
import { FormEnd } from "../ui/form-end.tsx";

interface DecideFormProps {
  action: ResponseAction;
  decision: ResponseDecision;
  done: () => void;
}

/** A decision on an action with an optional comment. A conflict reloads the action, and nothing is saved. */
export function DecideForm({ action, decision, done }: DecideFormProps) {
  const { tenant, session } = useSignedIn();
  const client = useQueryClient();
  const attempt = useRef({ body: "", key: "" });
  const { action_id: id, revision } = action;

  const decide = useMutation({
    mutationFn: (comment: string) => {
      const body = comment === "" ? { decision } : { decision, comment };
      const content = JSON.stringify([body, revision]);
      if (attempt.current.body !== content) attempt.current = { body: content, key: newKey() };
      return write<ResponseAction>(
        "POST",
        `/api/v1/response-actions/${encodeURIComponent(id)}/decision`,
        body,
        {
          csrf: session.csrf_token,
          key: attempt.current.key,
          revision,
        },
      );
    },
    onSuccess: () => {
      // Reads the list again before the form closes, so that the action is never shown undecided.
      void client.invalidateQueries({ queryKey: [tenant, "response-actions"] }).finally(done);
    },
    onError: (error) => {
      if (error instanceof ApiFailure && error.status === 412) {
        void client.invalidateQueries({ queryKey: [tenant, "response-actions"] });
      }
    },
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    decide.mutate(String(new FormData(event.currentTarget).get("comment") ?? "").trim());
  };

  return (
    <form className="form" onSubmit={submit}>
      <p className="soft">The decision is recorded. The appliance does not execute actions.</p>
      <label className="field">
        <span>Comment (optional)</span>
        <textarea name="comment" rows={3} maxLength={4000} />
      </label>
      <FormEnd
        fault={decide.error && `Not saved: ${decide.error.message}`}
        saving={decide.isPending}
        send={`${DECISION_VERBS[decision]} it`}
        cancel={done}
      />
    </form>
  );
}
