/// <reference lib="dom" />
import { type FormEvent, useId, useRef } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { IncidentDetail } from "../../contract/incident/incident.ts";
import type { SuppressionCreation, SuppressionDetail } from "../../contract/review/suppression.ts";
import { write } from "../app/api.ts";
import { newKey } from "../app/idempotency.ts";
import { useSignedIn } from "../app/session.ts";
import { destinationsOf, DURATIONS, patternOfFields, patternOfIncident } from "./suppression-pattern.ts";
import { FormEnd } from "../ui/form-end.tsx";

const DAY_MILLISECONDS = 86_400_000;
const USUAL_DAYS = 30;

function creationOf(form: FormData): SuppressionCreation {
  const text = (name: string) => String(form.get(name) ?? "");
  const expires = new Date(Date.now() + Number(text("days")) * DAY_MILLISECONDS);
  return {
    pattern: patternOfFields({
      source: text("source"),
      destination: text("destination"),
      port: text("port"),
      detector: text("detector"),
    }),
    reason: text("reason"),
    expires_at: expires.toISOString(),
  };
}

interface SuppressFormProps {
  incident: IncidentDetail;
  saved: () => void;
  cancel: () => void;
}

/** Suppresses an incident, prefilled with the narrowest pattern that covers all of it. */
export function SuppressForm({ incident, saved, cancel }: SuppressFormProps) {
  const { tenant, session } = useSignedIn();
  const client = useQueryClient();
  const pattern = patternOfIncident(incident);
  const list = useId();
  const attempt = useRef<{ content: string; creation: SuppressionCreation; key: string } | null>(null);

  const save = useMutation({
    mutationFn: (form: FormData) => {
      const creation = creationOf(form);
      // Resending the same form after a broken connection is the same request, expiry included.
      const content = JSON.stringify([...form]);
      if (attempt.current?.content !== content) attempt.current = { content, creation, key: newKey() };
      const { creation: body, key } = attempt.current;
      return write<SuppressionDetail>("POST", "/api/v1/suppressions", body, {
        csrf: session.csrf_token,
        key,
      });
    },
    onSuccess: () => {
      // Reads the incident again before the form closes, so that it is never shown unmarked.
      void client.invalidateQueries({ queryKey: [tenant] }).finally(saved);
    },
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(new FormData(event.currentTarget));
  };

  return (
    <form className="form" onSubmit={submit}>
      <p className="soft">
        Matching results are kept and open no incident. Set at least two fields, one of them the device or the
        destination.
      </p>
      <label className="field">
        <span>Device</span>
        <select name="source" defaultValue={pattern.source ?? ""}>
          {incident.device_ids.map((id) => (
            <option key={id} value={id}>{incident.device_names[id] ?? id}</option>
          ))}
          <option value="">Any device</option>
        </select>
      </label>
      <label className="field">
        <span>Destination: address, network or domain; empty for any</span>
        <input
          name="destination"
          maxLength={253}
          defaultValue={pattern.destination ?? ""}
          list={list}
          autoComplete="off"
          spellCheck={false}
        />
        <datalist id={list}>
          {destinationsOf(incident).map((one) => <option key={one} value={one} />)}
        </datalist>
      </label>
      <div className="form-row">
        <label className="field">
          <span>Port; empty for any</span>
          <input name="port" type="number" min={0} max={65535} defaultValue={pattern.port ?? ""} />
        </label>
        <label className="field">
          <span>Detector</span>
          <select name="detector" defaultValue={pattern.detector ?? ""}>
            {incident.model_ids.map((id) => <option key={id} value={id}>{id}</option>)}
            <option value="">Any detector</option>
          </select>
        </label>
        <label className="field">
          <span>Duration</span>
          <select name="days" defaultValue={USUAL_DAYS}>
            {DURATIONS.map(([days, name]) => <option key={days} value={days}>{name}</option>)}
          </select>
        </label>
      </div>
      <label className="field">
        <span>Reason (required)</span>
        <textarea name="reason" rows={3} maxLength={1000} required />
      </label>
      <FormEnd
        fault={save.error && `Not saved: ${save.error.message}`}
        saving={save.isPending}
        send="Suppress"
        cancel={cancel}
      />
    </form>
  );
}
