/// <reference lib="dom" />
import { type FormEvent, useState } from "react";
import { useSignedIn } from "../../base/session.ts";
import { useDraft } from "../../ui/draft.ts";
import { SelectField } from "../../ui/field/select-field.tsx";
import { ReasonField } from "../../ui/field/reason-field.tsx";
import { submitOnCtrlEnter } from "../../ui/field/submit-key.ts";
import { SuggestField } from "../../ui/field/suggest-field.tsx";
import { FormEnd } from "../../ui/form-end.tsx";
import { useDetectors } from "../detectors.ts";
import { useCreation } from "../../base/use-creation.ts";
import { useProposed } from "./use-proposed.ts";

const ACTIONS = [
  ["change_threshold", "Change a threshold"],
  ["activate", "Activate"],
  ["deactivate", "Deactivate"],
  ["other", "Other"],
] as const;

interface ModelProposalFormProps {
  /** The detector that is chosen first. */
  model?: string;
  close: () => void;
}

/** Proposes a change of a detector, which an analyst decides on. */
export function ModelProposalForm({ model = "", close }: ModelProposalFormProps) {
  const { session } = useSignedIn();
  const proposed = useProposed();
  const detectors = useDetectors();
  const [model_id, setModel] = useState(model);
  const [action, setAction] = useState<typeof ACTIONS[number][0]>("change_threshold");
  const [details, setDetails] = useDraft(session.subject, "model proposal details");
  const [reason, setReason] = useDraft(session.subject, "model proposal reason");
  const create = useCreation("proposeModelChange", {}, (proposal) => {
    setDetails("");
    setReason("");
    close();
    proposed(proposal);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ model_id: model_id.trim(), action, details: details.trim(), reason: reason.trim() });
  };
  return (
    <form className="form" onSubmit={submit}>
      <p className="soft">
        The proposal is recorded and decided on by an analyst. Nothing changes by itself.
      </p>
      <div className="form-row">
        <SuggestField
          label="Detector"
          value={model_id}
          set={setModel}
          suggestions={detectors}
          required
          maxLength={64}
        />
        <SelectField label="Change" value={action} options={ACTIONS} set={setAction} />
      </div>
      <label className="field">
        <span>What exactly (required)</span>
        <textarea
          rows={2}
          maxLength={4000}
          required
          value={details}
          onChange={(event) => setDetails(event.target.value)}
          onKeyDown={submitOnCtrlEnter}
        />
      </label>
      <ReasonField value={reason} set={setReason} />
      <FormEnd
        fault={create.error && `Not saved: ${create.error.message}`}
        saving={create.isPending}
        send="Propose"
        cancel={close}
      />
    </form>
  );
}
