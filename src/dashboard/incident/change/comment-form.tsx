/// <reference lib="dom" />
import { type FormEvent, type RefObject, useRef } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { incidentDetail } from "../../base/incidents.ts";
import { useSignedIn } from "../../base/session.ts";
import { useDraft } from "../../ui/draft.ts";
import { submitOnCtrlEnter } from "../../ui/field/submit-key.ts";
import { Icon } from "../../ui/icons.tsx";
import { keyFor, sendComment } from "./changes.ts";

interface CommentFormProps {
  incidentId: string;
  input?: RefObject<HTMLTextAreaElement | null>;
  autoFocus?: boolean;
  done?: () => void;
}

/** A comment without a change of status. The text survives a failure, a reload and a new sign-in. */
export function CommentForm({ incidentId, input, autoFocus = false, done }: CommentFormProps) {
  const { tenant, session } = useSignedIn();
  const client = useQueryClient();
  const [text, setText] = useDraft(session.subject, `comment ${incidentId}`);
  const attempt = useRef({ body: "", key: "" });
  const send = useMutation({
    mutationFn: (comment: string) =>
      sendComment(incidentId, comment, { csrf: session.csrf_token, key: keyFor(attempt.current, comment) }),
    onSuccess: (changed) => {
      client.setQueryData(incidentDetail(tenant, incidentId).queryKey, changed);
      attempt.current = { body: "", key: "" };
      setText("");
      done?.();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== "") send.mutate(text.trim());
  };
  return (
    <form className="comment-form" onSubmit={submit}>
      <label className="field">
        <span className="hidden">Comment</span>
        <textarea
          ref={input}
          rows={2}
          maxLength={4000}
          placeholder="Add a comment"
          value={text}
          data-autofocus={autoFocus || undefined}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={submitOnCtrlEnter}
        />
      </label>
      {send.error && (
        <p className="notice notice-error" role="alert">
          <Icon name="warning" />
          <span>Not saved: {send.error.message}</span>
        </p>
      )}
      <div className="form-buttons">
        <button type="submit" className="button" disabled={send.isPending || text.trim() === ""}>
          {send.isPending ? "Saving…" : "Comment"}
        </button>
      </div>
    </form>
  );
}
