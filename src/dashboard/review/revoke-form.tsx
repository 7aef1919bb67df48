/// <reference lib="dom" />
import { type FormEvent, useRef } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Suppression, SuppressionDetail } from "../../contract/review/suppression.ts";
import { ApiFailure, write } from "../app/api.ts";
import { newKey } from "../app/idempotency.ts";
import { useSignedIn } from "../app/session.ts";
import { FormEnd } from "../ui/form-end.tsx";

/** Ends a suppression early, with a reason. */
export function RevokeForm({ suppression, done }: { suppression: Suppression; done: () => void }) {
  const { tenant, session } = useSignedIn();
  const client = useQueryClient();
  const attempt = useRef({ body: "", key: "" });
  const { suppression_id: id, revision } = suppression;

  const revoke = useMutation({
    mutationFn: (reason: string) => {
      const body = JSON.stringify([reason, revision]);
      if (attempt.current.body !== body) attempt.current = { body, key: newKey() };
      const path = `/api/v1/suppressions/${encodeURIComponent(id)}/revocation`;
      return write<SuppressionDetail>("POST", path, { reason }, {
        csrf: session.csrf_token,
        key: attempt.current.key,
        revision,
      });
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: [tenant] });
      done();
    },
    onError: (error) => {
      if (error instanceof ApiFailure && error.status === 412) {
        void client.invalidateQueries({ queryKey: [tenant, "/api/v1/suppressions"] });
      }
    },
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    revoke.mutate(String(new FormData(event.currentTarget).get("reason") ?? ""));
  };

  return (
    <form className="form" onSubmit={submit}>
      <p className="soft">
        Incidents that it covers are shown again at once. What it held back opens an incident when it is seen
        again.
      </p>
      <label className="field">
        <span>Reason (required)</span>
        <textarea name="reason" rows={3} maxLength={1000} required />
      </label>
      <FormEnd
        fault={revoke.error && `Not revoked: ${revoke.error.message}`}
        saving={revoke.isPending}
        send="Revoke"
        cancel={done}
      />
    </form>
  );
}
