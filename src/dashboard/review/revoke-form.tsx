/// <reference lib="dom" />
import { type FormEvent } from "react";
import { useQueryClient } from "@tanstack/react-query";
import type { Suppression } from "../../contract/review/suppression.ts";
import { call } from "../base/api.ts";
import { usePersonName } from "../base/people.ts";
import { useSignedIn } from "../base/session.ts";
import { ConflictDiff } from "../ui/conflict/conflict-diff.tsx";
import { useRevisioned } from "../ui/conflict/use-revisioned.ts";
import { useDraft } from "../ui/draft.ts";
import { ReasonField } from "../ui/field/reason-field.tsx";
import { FormEnd } from "../ui/form-end.tsx";
import { ABSENT, formatLabel } from "../ui/format.ts";
import { Foreign } from "../ui/foreign.tsx";
import { Time } from "../ui/time/time.tsx";

interface RevokeFormProps {
  suppression: Suppression;
  saved: () => void;
  cancel: () => void;
}

/** Ends a suppression early, with a reason. */
export function RevokeForm({ suppression, saved, cancel }: RevokeFormProps) {
  const { tenant, session } = useSignedIn();
  const client = useQueryClient();
  const nameOf = usePersonName();
  const params = { suppression_id: suppression.suppression_id };
  const [reason, setReason] = useDraft(session.subject, `revocation ${suppression.suppression_id}`);
  const form = useRevisioned({
    current: suppression,
    read: async () => {
      void client.invalidateQueries({ queryKey: [tenant, "listSuppressions"] });
      return await call("getSuppression", { params });
    },
    send: (body: { reason: string }, options) =>
      call("revokeSuppression", { params, body, csrf: session.csrf_token, ...options }),
    saved: () => {
      setReason("");
      void client.invalidateQueries({ queryKey: [tenant] }).finally(saved);
    },
  });
  const { base, theirs } = form;

  const save = () => form.save({ reason });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save();
  };

  return (
    <form className="form" onSubmit={submit}>
      <p className="soft">
        Incidents that it covers are shown again at once. What it held back opens an incident when it is seen
        again.
      </p>
      <ReasonField value={reason} set={setReason} maxLength={1000} autoFocus />
      {theirs === null
        ? (
          <FormEnd
            fault={form.error && `Not revoked: ${form.error.message}`}
            saving={form.saving}
            send="Revoke"
            cancel={cancel}
          />
        )
        : (
          <ConflictDiff
            what="This suppression"
            fields={[
              {
                label: "Status",
                base: formatLabel(base.status),
                theirs: formatLabel(theirs.status),
                mine: "Revoked",
              },
              {
                label: "Reason",
                base: ABSENT,
                theirs: theirs.revoked_reason ?? ABSENT,
                mine: reason || ABSENT,
              },
            ]}
            by={theirs.revoked_by !== null && theirs.revoked_at !== null && (
              <>
                <Foreign text={nameOf(theirs.revoked_by)} />, <Time at={theirs.revoked_at} />
              </>
            )}
            fault={form.error && `Not revoked: ${form.error.message}`}
            saving={form.saving}
            apply={theirs.status === "active" ? save : null}
            discard={cancel}
          />
        )}
    </form>
  );
}
