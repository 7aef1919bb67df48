/// <reference lib="dom" />
import type { FormEvent, ReactNode } from "react";
import type { WorkflowEntry } from "../../contract/device/device.ts";
import type { WriteOptions } from "../base/api.ts";
import { usePersonName } from "../base/people.ts";
import { useSignedIn } from "../base/session.ts";
import type { FieldVersions } from "../ui/conflict/compare.ts";
import { ConflictDiff } from "../ui/conflict/conflict-diff.tsx";
import { LastChange } from "../entity/last-change.tsx";
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

interface DecisionBody<Decision> {
  decision: Decision;
  comment?: string;
}

type Detailed<T> = T & { workflow_history: readonly WorkflowEntry[] };

interface DecisionFormProps<T extends Decidable, Decision extends string> {
  /** What is decided on: "action". */
  noun: string;
  current: T;
  /** Names the unsent comment, which a closed form keeps. */
  draft: string;
  decision: Decision;
  /** The text of the button. */
  submit: string;
  /** Rows for the comparison after a conflict, besides status and comment. */
  versions?: (base: T, theirs: T) => FieldVersions[];
  /** Whether the stored version still allows this decision. */
  isPossible: (theirs: T) => boolean;
  /** Reads the stored version. */
  read: () => Promise<Detailed<T>>;
  send: (body: DecisionBody<Decision>, options: Required<WriteOptions>) => Promise<T>;
  /** Reads again whatever shows the object. */
  refresh: () => Promise<void>;
  saved: (decided: T) => void;
  cancel: () => void;
  /** What the decision is about and what follows from it. */
  children: ReactNode;
}

/** A decision with an optional comment. */
export function DecisionForm<T extends Decidable, Decision extends string>(
  props: DecisionFormProps<T, Decision>,
) {
  const { noun, current, decision, refresh, cancel } = props;
  const { session } = useSignedIn();
  const nameOf = usePersonName();
  const [comment, setComment] = useDraft(session.subject, `decision ${props.draft}`);
  const form = useRevisioned<T, DecisionBody<Decision>, T>({
    current,
    read: async () => {
      void refresh();
      return await props.read();
    },
    send: (body, options) => props.send(body, { csrf: session.csrf_token, ...options }),
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
