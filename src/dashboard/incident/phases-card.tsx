import { useId } from "react";
import type { EvidenceItem } from "../../contract/flow/flow.ts";
import type { IncidentDetail, ModelResult } from "../../contract/incident/incident.ts";
import { useStepState } from "../base/step-memory.ts";
import { DeviceChips } from "../entity/incident/incident-chips.tsx";
import { leadingResult } from "../entity/incident/incident-results.ts";
import { LinkedText } from "../entity/linked-text.tsx";
import { EvidenceList } from "../entity/record/evidence-list.tsx";
import { plural } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { Card } from "../ui/page.tsx";
import { severityOfScore } from "../ui/severity.ts";
import { SeverityIcon } from "../ui/tags.tsx";
import { Time } from "../ui/time/time.tsx";

/** The course of an incident: its findings in order of time, grouped by tactic. One finding needs no course. */
export function PhasesCard({ incident }: { incident: IncidentDetail }) {
  const { phases, model_results, evidence } = incident;
  if (model_results.length < 2) return null;
  const results = new Map(model_results.map((result) => [result.analysis_id, result]));
  const items = new Map(evidence.map((item) => [item.evidence_id, item]));
  const critical = leadingResult(incident)?.analysis_id;
  return (
    <Card
      title="What happened"
      note={`${plural(model_results.length, "finding")} in ${
        plural(phases.length, "phase")
      }, in the order in which these began`}
      className="phases-card"
    >
      <ol className="phases">
        {phases.map(({ phase, name, first_seen, last_seen, analysis_ids }) => (
          <li key={phase} className="phase">
            <div className="phase-head">
              <h3>{name}</h3>
              <p className="muted small">
                <Time at={first_seen} short />
                {minuteOf(last_seen) !== minuteOf(first_seen) && (
                  <>
                    {" "}to <Time at={last_seen} after={first_seen} short />
                  </>
                )}
              </p>
            </div>
            <ol className="phase-steps">
              {analysis_ids.flatMap((id) =>
                results.get(id) ?? []
              ).map((result) => (
                <Step
                  key={result.analysis_id}
                  incident={incident}
                  result={result}
                  items={result.evidence_ids.flatMap((id) => items.get(id) ?? [])}
                  isCritical={result.analysis_id === critical}
                />
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </Card>
  );
}

const MINUTE_DIGITS = "2026-01-31T07:11".length;

/** The minute of a timestamp, as its text begins. */
function minuteOf(at: string): string {
  return at.slice(0, MINUTE_DIGITS);
}

interface StepProps {
  incident: IncidentDetail;
  result: ModelResult;
  items: EvidenceItem[];
  /** Whether it is the most serious one, which stands out however few records it has. */
  isCritical: boolean;
}

function Step({ incident: { device_names }, result, items, isCritical }: StepProps) {
  const { analysis_id, title, summary, score, first_seen, device_id } = result;
  const severity = severityOfScore(score);
  const [open, setOpen] = useStepState(`phase ${analysis_id}`, false);
  const panel = useId();
  return (
    <li className={isCritical ? `phase-step phase-worst phase-${severity}` : "phase-step"}>
      <span className="phase-time soft">
        <Time at={first_seen} short />
      </span>
      <div className="phase-text">
        <p className="phase-title wrap">
          <SeverityIcon severity={severity} />
          <LinkedText text={title} className="strong" />
          {isCritical && <span className="chip">Most serious</span>}
        </p>
        {summary !== "" && (
          <p className={isCritical ? "wrap" : "wrap soft"}>
            <LinkedText text={summary} />
          </p>
        )}
        <p className="phase-meta">
          {device_id !== null && <DeviceChips ids={[device_id]} names={device_names} />}
          {items.length === 0 ? <span className="muted small">No record is retained</span> : (
            <button
              type="button"
              className="button button-small button-quiet"
              aria-expanded={open}
              aria-controls={panel}
              aria-label={`${plural(items.length, "record")}: ${title}`}
              onClick={() => setOpen(!open)}
            >
              <Icon name={open ? "down" : "right"} />
              {plural(items.length, "record")}
            </button>
          )}
        </p>
        <div id={panel} className="phase-evidence" hidden={!open}>
          {open && <EvidenceList items={items} name={`evidence of ${analysis_id}`} />}
        </div>
      </div>
    </li>
  );
}
