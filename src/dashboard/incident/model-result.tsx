import { Suspense, useState } from "react";
import type { EvidenceItem } from "../../contract/flow/flow.ts";
import type { ModelResult } from "../../contract/incident/incident.ts";
import { tacticName, tacticsOf, techniqueLabel } from "../../kit/attack.ts";
import { formatShare, plural } from "../ui/format.ts";
import { Rhythm } from "../ui/charts.tsx";
import { EntityChip } from "../entity/entity-chip.tsx";
import { LinkedText } from "../entity/linked-text.tsx";
import { usePart } from "../entity/parts.tsx";
import { SkeletonBlock } from "../ui/states.tsx";
import { severityOfScore } from "../ui/severity.ts";
import { SeverityIcon } from "../ui/tags.tsx";
import { Time } from "../ui/time/time.tsx";
import { ScoreTable } from "./score-parts.tsx";
import { formatPoints } from "./score-sum.ts";

interface ModelResultProps {
  incidentId: string;
  result: ModelResult;
  evidence: Map<string, EvidenceItem>;
  /** Whether the numbers are shown at once; the text always is. */
  open: boolean;
  /** Whether the page shows the explanation already. */
  explained: boolean;
  /** The score of its best scoring if the latest one is lower. */
  peak: number | null;
  /** Shows only this result's evidence. */
  showEvidence: () => void;
}

/** One detector's result: text first, then the numbers behind it. */
export function ModelResultView(
  { incidentId, result, evidence, open, explained, peak, showEvidence }: ModelResultProps,
) {
  const ResultFeedback = usePart("ResultFeedback");
  const items = result.evidence_ids.flatMap((id) => evidence.get(id) ?? []);
  const numbers = result.sub_scores.length + result.modifiers.length > 0;
  return (
    <article className="model">
      <div className="model-head">
        <h3 className="wrap">
          <LinkedText text={result.title} />
        </h3>
        <span className="model-score">
          <SeverityIcon severity={severityOfScore(result.score)} />
          <span>
            <span className="strong">{formatPoints(result.score)}</span>{" "}
            <span className="muted small">points</span>
          </span>
          <span className="muted small" title="How certain the detector is; the score says how serious it is">
            Confidence {formatShare(result.confidence)}
          </span>
        </span>
      </div>
      <p className="model-facts small">
        <EntityChip
          kind="detector"
          value={result.model_id}
          label={`${result.model_id} ${result.model_version}`}
        />
        {result.technique && (
          <EntityChip
            kind="technique"
            value={result.technique}
            label={techniqueLabel(result.technique)}
            detail={tacticsOf(result.technique).map(tacticName).join(", ") || result.technique}
          />
        )}
        <span className="muted">
          <Time at={result.first_seen} /> to <Time at={result.last_seen} />
        </span>
        {items.length > 0 && (
          <button
            type="button"
            className="link-button"
            title="Show them; a scoring links a bounded selection of the records that it counted"
            onClick={showEvidence}
          >
            {plural(items.length, "record")} linked by its latest scoring
          </button>
        )}
      </p>
      {peak !== null && (
        <p className="muted small">
          This is the latest scoring. The best one had {formatPoints(peak)}{" "}
          points; title, summary and score of the incident keep it.
        </p>
      )}
      <p className="wrap">
        <LinkedText text={result.summary === "" ? result.subject : result.summary} />
      </p>
      {explained || (
        <p className="soft wrap">
          <LinkedText text={result.explanation} />
        </p>
      )}
      <Guide model={result.model_id} />
      <Rhythm
        times={items.map(({ observed_at }) => observed_at)}
        histogram={result.model_id.includes("beacon")}
      />
      {numbers && (
        <details className="model-numbers" open={open}>
          <summary>How these {formatPoints(result.score)} points add up</summary>
          <ScoreTable
            label={`Score of ${result.title}`}
            shares={result.sub_scores}
            modifiers={result.modifiers}
            score={result.score}
            total="Total"
          />
        </details>
      )}
      <ResultFeedback incidentId={incidentId} result={result} />
      <p className="muted small">
        Analysis <code>{result.analysis_id}</code>
      </p>
    </article>
  );
}

/** What such a finding means and what to check, from the detector's documentation. */
function Guide({ model }: { model: string }) {
  const DetectorGuide = usePart("DetectorGuide");
  const [open, setOpen] = useState(false);
  return (
    <details className="model-numbers" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>What it means and what to check</summary>
      {open && (
        <Suspense fallback={<SkeletonBlock />}>
          <DetectorGuide model={model} />
        </Suspense>
      )}
    </details>
  );
}
