import type { EvidenceItem } from "../../contract/flow/flow.ts";
import type { ModelResult, SubScore } from "../../contract/incident/incident.ts";
import type { Severity } from "../../contract/record/kinds.ts";
import { formatLabel, formatScore, formatShare, plural } from "../ui/format.ts";
import { Rhythm } from "../ui/charts.tsx";
import { Foreign } from "../ui/names.tsx";
import { Score } from "../ui/tags.tsx";
import { Time } from "../ui/time/time.tsx";

function pointsOf(value: number): number {
  return Math.round(value * 10) / 10;
}

function SubScores({ parts }: { parts: SubScore[] }) {
  return (
    <ul className="sub-scores">
      {parts.map(({ name, value, weight, detail }) => (
        <li key={name} className="sub-score">
          <span className="sub-name">{formatLabel(name)}</span>
          <svg className="sub-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
            <rect className="track" width="100" height="6" />
            <rect className="bar" width={Math.min(1, Math.max(0, value)) * 100} height="6" />
          </svg>
          <span className="sub-value" title={`${formatShare(value)} of ${weight} points`}>
            {pointsOf(value * weight)} <span className="muted">of {weight}</span>
          </span>
          <Foreign text={detail} className="sub-detail soft" />
        </li>
      ))}
    </ul>
  );
}

export function Modifiers({ parts }: { parts: SubScore[] }) {
  return (
    <ul className="modifiers">
      {parts.map(({ name, value, weight, detail }) => {
        const points = pointsOf(value * weight);
        return (
          <li key={name} className="modifier">
            <span className={points < 0 ? "points points-down" : "points points-up"}>
              {points < 0 ? `−${-points}` : `+${points}`}
            </span>
            <span className="sub-name">{formatLabel(name)}</span>
            <Foreign text={detail} className="soft" />
          </li>
        );
      })}
    </ul>
  );
}

interface ModelResultProps {
  result: ModelResult;
  evidence: Map<string, EvidenceItem>;
  severity: Severity;
  /** The incident's only result: all its evidence belongs to it, also evidence of earlier scorings. */
  alone: boolean;
  /** Whether the numbers are shown at once; the text always is. */
  open: boolean;
}

/** One detector's result: text first, then the numbers behind it. */
export function ModelResultView({ result, evidence, severity, alone, open }: ModelResultProps) {
  const ids = alone ? [...evidence.keys()] : result.evidence_ids;
  const times = ids.flatMap((id) => evidence.get(id)?.observed_at ?? []);
  const numbers = result.sub_scores.length + result.modifiers.length > 0;
  return (
    <article className="model">
      <div className="model-head">
        <h3 className="wrap">
          <Foreign text={result.title} />
        </h3>
        <span className="model-score">
          <span className="muted small">Confidence {formatShare(result.confidence)}</span>
          <Score score={result.score} severity={severity} />
        </span>
      </div>
      <p className="model-facts small">
        <span className="chip mono" title="Detector and its version">
          {result.model_id} {result.model_version}
        </span>
        {result.technique && <span className="chip" title="MITRE ATT&CK technique">{result.technique}</span>}
        <span className="muted">
          <Time at={result.first_seen} /> to <Time at={result.last_seen} />
        </span>
        <span className="muted">{plural(ids.length, "piece")} of evidence</span>
      </p>
      <p className="wrap">
        <Foreign text={alone || result.summary === "" ? result.subject : result.summary} />
      </p>
      <p className="soft wrap">
        <Foreign text={result.explanation} />
      </p>
      <Rhythm times={times} histogram={result.model_id.includes("beacon")} />
      {numbers && (
        <details className="model-numbers" open={open}>
          <summary>How the score of {formatScore(result.score)} is calculated</summary>
          {result.sub_scores.length > 0 && <SubScores parts={result.sub_scores} />}
          {result.modifiers.length > 0 && (
            <>
              <h4>Adjustments</h4>
              <Modifiers parts={result.modifiers} />
            </>
          )}
        </details>
      )}
      <p className="muted small">
        Analysis <code>{result.analysis_id}</code>
      </p>
    </article>
  );
}
