import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { incidentDetail } from "../../base/incidents.ts";
import { useSignedIn } from "../../base/session.ts";
import { SelectField } from "../../ui/field/select-field.tsx";
import { formatTime } from "../../ui/format.ts";
import { Foreign } from "../../ui/foreign.tsx";
import { ErrorState, SkeletonBlock } from "../../ui/states.tsx";
import { useZone } from "../../base/time/zone.ts";
import { useDetectors } from "../detectors.ts";
import { incidentsOfDetector } from "../review-queries.ts";
import { FeedbackForm } from "./feedback-form.tsx";

interface IncidentFeedbackProps {
  incidentId: string;
  /** The detector that is chosen first. */
  model?: string;
  close: () => void;
}

/** Feedback on one of the detectors that contributed to an incident. */
export function IncidentFeedback({ incidentId, model, close }: IncidentFeedbackProps) {
  const { tenant } = useSignedIn();
  const { data, error, refetch } = useQuery(incidentDetail(tenant, incidentId));
  const [chosen, setChosen] = useState(model);
  if (!data) {
    return error
      ? <ErrorState what="The incident" error={error} retry={() => void refetch()} />
      : <SkeletonBlock />;
  }
  const { model_ids: ids } = data;
  const model_id = chosen !== undefined && ids.includes(chosen) ? chosen : ids[0];
  return (
    <FeedbackForm
      subject={model_id === undefined ? null : { model_id, incident_id: incidentId }}
      close={close}
    >
      <Foreign text={data.title} className="strong wrap" />
      <SelectField
        label="Detector"
        value={model_id ?? ""}
        options={ids.map((id) => [id, id] as const)}
        set={setChosen}
      />
    </FeedbackForm>
  );
}

/** Feedback on a detector and one of its newest incidents. */
export function NewFeedback({ model, close }: { model?: string; close: () => void }) {
  const { tenant } = useSignedIn();
  const zone = useZone();
  const detectors = useDetectors();
  const [model_id, setModel] = useState(model ?? "");
  const known = model_id === "" || detectors.includes(model_id) ? detectors : [...detectors, model_id];
  const [incident, setIncident] = useState("");
  const { data, error, isFetching } = useQuery({
    ...incidentsOfDetector(tenant, model_id),
    enabled: model_id !== "",
  });
  const incidents = model_id === "" ? [] : data ?? [];
  const isKnown = incidents.some(({ id }) => id === incident);
  const none = model_id === ""
    ? "Choose a detector first"
    : isFetching
    ? "Loading…"
    : error
    ? `Not loaded: ${error.message}`
    : incidents.length === 0
    ? "No incident of this detector"
    : "Choose an incident";
  return (
    <FeedbackForm
      subject={isKnown ? { model_id, incident_id: incident } : null}
      close={close}
    >
      <SelectField
        label="Detector"
        value={model_id}
        options={[
          ...model_id === "" ? [["", "Choose a detector"] as const] : [],
          ...known.map((one) => [one, one] as const),
        ]}
        set={setModel}
      />
      <SelectField
        label="Incident, newest first"
        value={isKnown ? incident : ""}
        options={[
          ...isKnown ? [] : [["", none] as const],
          ...incidents.map(({ id, title, last_seen }) =>
            [id, `${title}, ${formatTime(last_seen, Date.now(), true, zone)}`] as const
          ),
        ]}
        set={setIncident}
      />
    </FeedbackForm>
  );
}
