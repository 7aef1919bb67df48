/// <reference lib="dom" />
import type { FormEvent, ReactNode } from "react";
import type { WorkflowEntry } from "../../contract/device/device.ts";
import { getOne, write } from "../app/api.ts";
import { usePersonName } from "../app/people.ts";
import { useSignedIn } from "../app/session.ts";
import type { FieldVersions } from "../ui/conflict/compare.ts";
import { ConflictDiff } from "../ui/conflict/conflict-diff.tsx";
import { LastChange } from "../ui/conflict/last-change.tsx";
import { useRevisioned } from "../ui/conflict/use-revisioned.ts";
import { useDraft } from "../ui/draft.ts";
import { CommentField } from "../ui/field/comment-field.tsx";
import { FormEnd } from "../ui/form-end.tsx";
import { ABSENT, formatLabel } from "../ui/format.ts";

interface Decidable {
  revision: number;
  status: string;
  comment: string | null;
}

type Detailed<T> = T & { workflow_history: readonly WorkflowEntry[] };

interface DecisionFormProps<T extends Decidable> {
  /** What is decided on: "action". */
  noun: string;
  current: T;
  /** The route of the object; its decision is below. */
  path: string;
  decision: string;
  /** The text of the button. */
  submit: string;
  /** Rows for the comparison after a conflict, besides status and comment. */
  versions?: (base: T, theirs: T) => FieldVersions[];
  /** Whether the stored version still allows this decision. */
  isPossible: (theirs: T) => boolean;
  /** Reads again whatever shows the object. */
  refresh: () => Promise<void>;
  saved: (decided: T) => void;
  cancel: () => void;
  /** What the decision is about and what follows from it. */
  children: ReactNode;
}

/** A decision with an optional comment. */
export function DecisionForm<T extends Decidable>(props: DecisionFormProps<T>) {
  const { noun, current, path, decision, refresh, cancel } = props;
  const { session } = useSignedIn();
  const nameOf = usePersonName();
  const [comment, setComment] = useDraft(session.subject, `decision ${path}`);
  const form = useRevisioned<T, { decision: string; comment?: string }, T>({
    current,
    read: async () => {
      void refresh();
      return await getOne<Detailed<T>>(path, {});
    },
    send: (body, options) =>
      write<T>("POST", `${path}/decision`, body, { csrf: session.csrf_token, ...options }),
    saved: (decided) => {
      setComment("");
      // The list is current before the form closes, so that the object is never shown undecided.
      void refresh().finally(() => props.saved(decided));
    },
  });
  const { base, theirs } = form;
  const mine = comment.trim();
  const save = () => form.save(mine === "" ? { decision } : { decision, comment: mine });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save();
  };
  const fault = form.error && `Not saved: ${form.error.message}`;
  return (
    <form className="form" onSubmit={submit}>
      {props.children}
      <CommentField value={comment} set={setComment} />
      {theirs === null
        ? <FormEnd fault={fault} saving={form.saving} send={props.submit} cancel={cancel} />
        : (
          <ConflictDiff
            what={`This ${noun}`}
            fields={[
              {
                label: "Status",
                base: formatLabel(base.status),
                theirs: formatLabel(theirs.status),
                mine: formatLabel(decision),
              },
              ...props.versions?.(base, theirs) ?? [],
              {
                label: "Comment",
                base: ABSENT,
                theirs: theirs.comment ?? ABSENT,
                mine: mine || ABSENT,
              },
            ]}
            by={<LastChange base={base} stored={theirs as Detailed<T>} nameOf={nameOf} />}
            fault={fault}
            saving={form.saving}
            apply={props.isPossible(theirs) ? save : null}
            discard={cancel}
          />
        )}
    </form>
  );
}
