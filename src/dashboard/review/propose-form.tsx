/// <reference lib="dom" />
import { type FormEvent, useId, useRef, useState } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { IncidentDetail } from "../../contract/incident/incident.ts";
import type { ResponseAction, ResponseActionCreation, ResponseKind } from "../../contract/review/response.ts";
import { write } from "../app/api.ts";
import { newKey } from "../app/idempotency.ts";
import { blockableOf } from "./response-labels.ts";
import { useSignedIn } from "../app/session.ts";
import { FormEnd } from "../ui/form-end.tsx";

const KINDS: readonly (readonly [kind: ResponseKind, name: string])[] = [
  ["quarantine_device", "Quarantine a device"],
  ["block_destination", "Block a destination"],
  ["notify_only", "Notify only"],
];

function creationOf(kind: ResponseKind, form: FormData): ResponseActionCreation {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const target = kind === "block_destination"
    ? { address: text("address") }
    : { device_id: text("device_id") || null };
  return { kind, target, reason: text("reason") };
}

interface ProposeFormProps {
  incident: IncidentDetail;
  saved: () => void;
  cancel: () => void;
}

/** Proposes an action for an incident; another person decides. */
export function ProposeForm({ incident, saved, cancel }: ProposeFormProps) {
  const { tenant, session } = useSignedIn();
  const client = useQueryClient();
  const devices = incident.device_ids;
  const [kind, setKind] = useState<ResponseKind>(devices.length > 0 ? "quarantine_device" : "notify_only");
  const attempt = useRef({ body: "", key: "" });
  const list = useId();

  const propose = useMutation({
    mutationFn: (creation: ResponseActionCreation) => {
      const body = JSON.stringify(creation);
      if (attempt.current.body !== body) attempt.current = { body, key: newKey() };
      const path = `/api/v1/incidents/${encodeURIComponent(incident.id)}/response-actions`;
      return write<ResponseAction>("POST", path, creation, {
        csrf: session.csrf_token,
        key: attempt.current.key,
      });
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: [tenant, "response-actions"] }).finally(saved);
    },
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    propose.mutate(creationOf(kind, new FormData(event.currentTarget)));
  };

  return (
    <form className="form" onSubmit={submit}>
      <p className="soft">
        A person with the responder role decides. The appliance does not execute actions.
      </p>
      <label className="field">
        <span>Action</span>
        <select name="kind" value={kind} onChange={(event) => setKind(event.target.value as ResponseKind)}>
          {KINDS.filter(([one]) => one !== "quarantine_device" || devices.length > 0)
            .map(([one, name]) => <option key={one} value={one}>{name}</option>)}
        </select>
      </label>
      {kind === "block_destination"
        ? (
          <label className="field">
            <span>Address named by this incident</span>
            <input
              name="address"
              required
              maxLength={64}
              defaultValue={blockableOf(incident)[0] ?? ""}
              list={list}
              autoComplete="off"
              spellCheck={false}
            />
            <datalist id={list}>
              {blockableOf(incident).map((ip) => <option key={ip} value={ip} />)}
            </datalist>
          </label>
        )
        : (
          <label className="field">
            <span>Device</span>
            <select name="device_id" defaultValue={devices[0] ?? ""}>
              {devices.map((id) => <option key={id} value={id}>{incident.device_names[id] ?? id}</option>)}
              {kind === "notify_only" && <option value="">None</option>}
            </select>
          </label>
        )}
      <label className="field">
        <span>Reason (required)</span>
        <textarea name="reason" rows={3} maxLength={4000} required />
      </label>
      <FormEnd
        fault={propose.error && `Not saved: ${propose.error.message}`}
        saving={propose.isPending}
        send="Propose"
        cancel={cancel}
      />
    </form>
  );
}
