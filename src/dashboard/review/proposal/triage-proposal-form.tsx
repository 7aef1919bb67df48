/// <reference lib="dom" />
import { type FormEvent, useState } from "react";
import type { Incident } from "../../../contract/incident/incident.ts";
import type { IncidentStatus } from "../../../contract/record/kinds.ts";
import { useSignedIn } from "../../base/session.ts";
import { useDraft } from "../../ui/draft.ts";
import { ReasonField } from "../../ui/field/reason-field.tsx";
import { SelectField } from "../../ui/field/select-field.tsx";
import { FormEnd } from "../../ui/form-end.tsx";
import { formatLabel } from "../../ui/format.ts";
import { Foreign } from "../../ui/foreign.tsx";
import { useCreation } from "../../base/use-creation.ts";
import { CONSEQUENCES } from "./proposal-labels.ts";
import { useProposed } from "./use-proposed.ts";

const STATUSES = [
  "resolved",
  "false_positive",
  "investigating",
  "open",
] as const satisfies readonly IncidentStatus[];

interface TriageProposalFormProps {
  incident: Pick<Incident, "id" | "title" | "status">;
  close: () => void;
}

/** Proposes a status for an incident, which an analyst decides on. */
export function TriageProposalForm(
  { incident: { id, title, status }, close }: TriageProposalFormProps,
) {
  const { session } = useSignedIn();
  const proposed = useProposed();
  const options = STATUSES.filter((one) => one !== status).map((one) => [one, formatLabel(one)] as const);
  const [incident_status, setStatus] = useState<IncidentStatus>(options[0]![0]);
  const [reason, setReason] = useDraft(session.subject, `status proposal ${id}`);
  const create = useCreation("proposeTriage", {}, (proposal) => {
    setReason("");
    close();
    proposed(proposal);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ incident_id: id, incident_status, reason: reason.trim() });
  };
  return (
    <form className="form" onSubmit={submit}>
      <Foreign text={title} className="strong wrap" />
      <p className="soft">An analyst decides on the proposal. {CONSEQUENCES.triage}</p>
      <SelectField label="Status" value={incident_status} options={options} set={setStatus} />
      <ReasonField value={reason} set={setReason} autoFocus />
      <FormEnd
        fault={create.error && `Not saved: ${create.error.message}`}
        saving={create.isPending}
        send="Propose"
        cancel={close}
      />
    </form>
  );
}
