/// <reference lib="dom" />
import { type FormEvent, useState } from "react";
import type { IncidentDetail } from "../../contract/incident/incident.ts";
import type { Suppression } from "../../contract/review/suppression.ts";
import { useSignedIn } from "../base/session.ts";
import { useDraft } from "../ui/draft.ts";
import { SelectField } from "../ui/field/select-field.tsx";
import { ReasonField } from "../ui/field/reason-field.tsx";
import { SuggestField } from "../ui/field/suggest-field.tsx";
import { FormEnd } from "../ui/form-end.tsx";
import {
  destinationsOf,
  DURATIONS,
  firstPattern,
  namedDevices,
  patternOfFields,
  sourceOfText,
  sourceText,
} from "./suppression-pattern.ts";
import { Preview } from "./suppression-preview.tsx";
import { useCreation } from "../base/use-creation.ts";

type Pattern = Suppression["pattern"];

const DAY_MILLISECONDS = 86_400_000;
const USUAL_DAYS = "30";
const DAYS = DURATIONS.map(([days, name]) => [String(days), name] as const);

/** What is suppressed: an incident, or a value with the devices and detectors to choose from. */
type SuppressSubject =
  & Pick<IncidentDetail, "device_ids" | "device_names" | "model_ids" | "model_results">
  & { id?: string; pattern?: Pattern };

interface SuppressFormProps {
  incident: SuppressSubject;
  saved: () => void;
  cancel: () => void;
}

/** The fields as entered. */
interface Entered {
  source: string;
  destination: string;
  port: string;
  detector: string;
}

function enteredOf({ source, destination, port, detector }: Pattern, devices: Map<string, string>): Entered {
  return {
    source: sourceText(source, devices),
    destination: destination ?? "",
    port: port === null ? "" : String(port),
    detector: detector ?? "",
  };
}

/** Suppresses an incident, prefilled with the narrowest pattern that covers it. */
export function SuppressForm({ incident, saved, cancel }: SuppressFormProps) {
  const { session } = useSignedIn();
  const devices = namedDevices(incident.device_ids.map((id) => [id, incident.device_names[id] ?? id]));
  const [entered, setEntered] = useState(() =>
    enteredOf(incident.pattern ?? firstPattern(incident), devices)
  );
  const [days, setDays] = useState(USUAL_DAYS);
  const [reason, setReason] = useDraft(session.subject, `suppression ${incident.id ?? ""}`);
  // Sent again after a broken connection it is the same request, expiry included.
  const [opened] = useState(Date.now);
  const create = useCreation("createSuppression", {}, () => {
    setReason("");
    saved();
  });
  const set = (change: Partial<Entered>) => setEntered((old) => ({ ...old, ...change }));
  const pattern = patternOfFields({ ...entered, source: sourceOfText(entered.source, devices) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({
      pattern,
      reason: reason.trim(),
      expires_at: new Date(opened + Number(days) * DAY_MILLISECONDS).toISOString(),
    });
  };
  const { detector } = entered;
  const detectors = detector === "" || incident.model_ids.includes(detector)
    ? incident.model_ids
    : [...incident.model_ids, detector];
  return (
    <form className="form" onSubmit={submit}>
      <p className="soft">
        Matching results are kept and open no incident. Set at least two fields, one of them the device or the
        destination.
      </p>
      <SuggestField
        label="Device, or an address or network; empty for any"
        value={entered.source}
        set={(source) => set({ source })}
        suggestions={[...devices.keys()]}
        maxLength={128}
      />
      <SuggestField
        label="Destination: address, network or domain; empty for any"
        value={entered.destination}
        set={(destination) => set({ destination })}
        suggestions={destinationsOf(incident)}
        maxLength={253}
      />
      <div className="form-row">
        <label className="field">
          <span>Port; empty for any</span>
          <input
            name="port"
            type="number"
            min={0}
            max={65535}
            value={entered.port}
            onChange={(event) => set({ port: event.target.value })}
          />
        </label>
        <SelectField
          label="Detector"
          name="detector"
          value={detector}
          options={[...detectors.map((id) => [id, id] as const), ["", "Any detector"]]}
          set={(detector) => set({ detector })}
        />
        <SelectField label="Duration" value={days} options={DAYS} set={setDays} />
      </div>
      <ReasonField value={reason} set={setReason} maxLength={1000} autoFocus />
      <Preview
        pattern={pattern}
        incidentId={incident.id}
        nameOf={(source) => sourceText(source, devices)}
        use={(suggested) => setEntered(enteredOf(suggested, devices))}
      />
      <FormEnd
        fault={create.error && `Not saved: ${create.error.message}`}
        saving={create.isPending}
        send="Suppress"
        cancel={cancel}
      />
    </form>
  );
}
