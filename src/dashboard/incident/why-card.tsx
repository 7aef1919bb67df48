import type { IncidentDetail, ModelResult } from "../../contract/incident/incident.ts";
import { leadingResult } from "../entity/incident/incident-results.ts";
import { plural } from "../ui/format.ts";
import { LinkedText } from "../entity/linked-text.tsx";
import { Card } from "../ui/page.tsx";
import { ModelResultView } from "./model-result.tsx";

/** The best score of the leading result if its latest scoring is lower; a score never falls by itself. */
export function peakAbove(incident: Pick<IncidentDetail, "score_parts" | "model_results">): number | null {
  const best = incident.score_parts.find(({ name }) => name === "leading_result");
  const latest = leadingResult(incident);
  if (best === undefined || latest === null) return null;
  const peak = best.value * best.weight;
  return peak - latest.score >= 0.05 ? peak : null;
}

interface WhyCardProps {
  incident: IncidentDetail;
  showEvidence: (result: ModelResult) => void;
}

/** The reasons: the summary in one sentence, then each detector's result, strongest first. */
export function WhyCard({ incident, showEvidence }: WhyCardProps) {
  const evidence = new Map(incident.evidence.map((item) => [item.evidence_id, item]));
  const results = incident.model_results.toSorted((a, b) => b.score - a.score);
  return (
    <Card title="Why" note={plural(results.length, "result")} flush>
      {results.map((result, index) => (
        <ModelResultView
          key={result.analysis_id}
          incidentId={incident.id}
          result={result}
          evidence={evidence}
          explained={index === 0}
          peak={index === 0 ? peakAbove(incident) : null}
          open={index === 0 || results.length <= 2}
          showEvidence={() => showEvidence(result)}
        />
      ))}
    </Card>
  );
}

/** The leading finding, and the other ones that the summary adds to it. */
function leadOf(summary: string, leading: string): [first: string, rest: string] {
  if (leading === "" || !summary.startsWith(leading)) return [summary, ""];
  return [leading, summary.slice(leading.length).trim()];
}

/** What happened and why it is suspicious, in plain words, before every picture. */
export function LeadSentence({ incident }: { incident: IncidentDetail }) {
  const leading = leadingResult(incident);
  const [first, rest] = leadOf(incident.summary || incident.title, leading?.summary ?? "");
  return (
    <div className="lead">
      <p className="summary wrap">
        <LinkedText text={first} />
      </p>
      {rest !== "" && (
        <p className="wrap">
          <LinkedText text={rest} />
        </p>
      )}
      {leading !== null && (
        <p className="soft wrap">
          <LinkedText text={leading.explanation} />
        </p>
      )}
    </div>
  );
}
