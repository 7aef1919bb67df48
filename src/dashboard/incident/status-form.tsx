/// <reference lib="dom" />
import { type FormEvent, useId, useRef, useState } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { IncidentDetail, IncidentPatch } from "../../contract/incident/incident.ts";
import type { IncidentStatus } from "../../contract/record/kinds.ts";
import { ApiFailure, write } from "../app/api.ts";
import { formatLabel } from "../ui/format.ts";
import { newKey } from "../app/idempotency.ts";
import { incidentDetail } from "../app/queries.ts";
import { useSignedIn } from "../app/session.ts";
import { Icon } from "../ui/icons.tsx";
import { STATUS_ORDER, StatusTag } from "../ui/tags.tsx";

const CLOSING: IncidentStatus[] = ["resolved", "false_positive"];

/** One status change with its comment. A conflict reloads the incident and keeps the typed text. */
export function StatusForm({ incident }: { incident: IncidentDetail }) {
  const { tenant, roles, session } = useSignedIn();
  const client = useQueryClient();
  const [status, setStatus] = useState<IncidentStatus | null>(null);
  const [comment, setComment] = useState("");
  const [conflict, setConflict] = useState(false);
  // Resending the same form after a broken connection must not make a second change.
  const attempt = useRef({ body: "", key: "" });
  const commentId = useId();
  const detail = incidentDetail(tenant, incident.id);
  const allowed = roles.includes("analyst");
  const needsComment = status !== null && CLOSING.includes(status);

  const change = useMutation({
    mutationFn: (patch: IncidentPatch) => {
      const body = JSON.stringify([patch, incident.revision]);
      if (attempt.current.body !== body) attempt.current = { body, key: newKey() };
      return write<IncidentDetail>("PATCH", `/api/v1/incidents/${encodeURIComponent(incident.id)}`, patch, {
        csrf: session.csrf_token,
        key: attempt.current.key,
        revision: incident.revision,
      });
    },
    onMutate: () => setConflict(false),
    onSuccess: (changed) => {
      client.setQueryData(detail.queryKey, changed);
      setStatus(null);
      setComment("");
      void client.invalidateQueries({ queryKey: [tenant], refetchType: "none" });
    },
    onError: (error) => {
      if (!(error instanceof ApiFailure && error.status === 412)) return;
      setConflict(true);
      void client.invalidateQueries({ queryKey: detail.queryKey });
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (status === null) return;
    const text = comment.trim();
    change.mutate(text === "" ? { status } : { status, comment: text });
  };

  return (
    <form className="status-form" onSubmit={submit}>
      <fieldset disabled={!allowed || change.isPending}>
        <legend className="soft">
          Current <StatusTag status={incident.status} /> change to
        </legend>
        <div className="status-choices">
          {STATUS_ORDER.filter((one) => one !== incident.status).map((one) => (
            <label key={one} className="choice">
              <input
                type="radio"
                name="status"
                checked={status === one}
                onChange={() =>
                  setStatus(one)}
              />
              {formatLabel(one)}
            </label>
          ))}
        </div>
        <label className="field" htmlFor={commentId}>
          <span>Comment {needsComment ? "(required to close)" : "(optional)"}</span>
        </label>
        <textarea
          id={commentId}
          rows={3}
          maxLength={4000}
          required={needsComment}
          value={comment}
          onChange={(event) => setComment(event.target.value)}
        />
        <button
          type="submit"
          className="button button-primary"
          disabled={status === null || (needsComment && comment.trim() === "")}
        >
          {change.isPending ? "Saving…" : "Change status"}
        </button>
      </fieldset>
      {!allowed && (
        <p className="notice">
          <Icon name="lock" />
          <span>Changing the status requires the analyst role; you have {roles.join(", ")}.</span>
        </p>
      )}
      {conflict && (
        <p className="notice notice-warning" role="alert">
          <Icon name="warning" />
          <span>
            This incident changed after you opened it, by another person or by new evidence, so nothing was
            saved. The current version is loaded: review it, then submit again.
          </span>
        </p>
      )}
      {change.error && !conflict && (
        <p className="notice notice-error" role="alert">
          <Icon name="warning" />
          <span>
            Not saved: {change.error.message}{" "}
            {change.error instanceof ApiFailure && change.error.requestId && (
              <span className="small">(request {change.error.requestId})</span>
            )}
          </span>
        </p>
      )}
      <p className="hidden" role="status">{change.isSuccess ? "Status changed." : ""}</p>
    </form>
  );
}
