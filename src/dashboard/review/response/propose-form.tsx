/// <reference lib="dom" />
import { type FormEvent, useState } from "react";
import type { IncidentDetail } from "../../../contract/incident/incident.ts";
import type { ResponseKind } from "../../../contract/review/response.ts";
import { useSignedIn } from "../../base/session.ts";
import { useDraft } from "../../ui/draft.ts";
import { SelectField } from "../../ui/field/select-field.tsx";
import { ReasonField } from "../../ui/field/reason-field.tsx";
import { SuggestField } from "../../ui/field/suggest-field.tsx";
import { FormEnd } from "../../ui/form-end.tsx";
import { blockableOf } from "../../entity/incident/incident-results.ts";
import { ResponsePreview } from "./response-preview.tsx";
import { useCreation } from "../../base/use-creation.ts";

const KINDS: readonly (readonly [kind: ResponseKind, name: string])[] = [
  ["quarantine_device", "Quarantine a device"],
  ["block_destination", "Block a destination"],
  ["notify_only", "Notify only"],
];

interface ProposeFormProps {
  incident: IncidentDetail;
  /** An address to block. */
  address?: string;
  saved: () => void;
  cancel: () => void;
}

/** Proposes an action for an incident; another person decides. */
export function ProposeForm({ incident, address: given, saved, cancel }: ProposeFormProps) {
  const { session } = useSignedIn();
  const devices = incident.device_ids.map((id) => [id, incident.device_names[id] ?? id] as const);
  const [kind, setKind] = useState<ResponseKind>(
    given !== undefined ? "block_destination" : devices.length > 0 ? "quarantine_device" : "notify_only",
  );
  const [address, setAddress] = useState(given ?? blockableOf(incident)[0] ?? "");
  const [device, setDevice] = useState(devices[0]?.[0] ?? "");
  const [reason, setReason] = useDraft(session.subject, `response ${incident.id}`);
  const propose = useCreation("proposeResponseAction", { params: { incident_id: incident.id } }, () => {
    setReason("");
    saved();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const target = kind === "block_destination"
      ? { address: address.trim() }
      : { device_id: device === "" ? null : device };
    propose.mutate({ kind, target, reason: reason.trim() });
  };
  return (
    <form className="form" onSubmit={submit}>
      <p className="soft">
        A person with the responder role decides. The appliance does not execute actions.
      </p>
      <SelectField
        label="Action"
        value={kind}
        options={KINDS.filter(([one]) => one !== "quarantine_device" || devices.length > 0)}
        set={setKind}
      />
      {kind === "block_destination"
        ? (
          <SuggestField
            label="Address named by this incident"
            value={address}
            set={setAddress}
            suggestions={blockableOf(incident)}
            required
            maxLength={64}
          />
        )
        : (
          <SelectField
            label="Device"
            value={device}
            options={kind === "notify_only" ? [...devices, ["", "None"]] : devices}
            set={setDevice}
          />
        )}
      <ResponsePreview
        incidentId={incident.id}
        target={kind === "block_destination"
          ? { kind: "address", value: address.trim() }
          : { kind: "device", value: device }}
      />
      <ReasonField value={reason} set={setReason} />
      <FormEnd
        fault={propose.error && `Not saved: ${propose.error.message}`}
        saving={propose.isPending}
        send="Propose"
        cancel={cancel}
      />
    </form>
  );
}
