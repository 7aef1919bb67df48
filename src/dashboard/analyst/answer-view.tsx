import { Link } from "@tanstack/react-router";
import type { AnalystAnswer } from "../../contract/analyst/analyst-run.ts";
import type { IncidentDetail } from "../../contract/incident/incident.ts";
import type { IncidentStatus } from "../../contract/record/kinds.ts";
import { to } from "../base/links.ts";
import { windowAround } from "../entity/incident/incident-window.ts";
import { Foreign } from "../ui/foreign.tsx";
import { formatLabel, formatShare } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { citationNumbers, type Reach, reachOf } from "./citations.ts";
import { ASSESSMENT_NAMES } from "./run-labels.ts";

interface AnswerProps {
  incident: IncidentDetail;
  answer: AnalystAnswer;
  /** Shows a record of the evidence. */
  showRecord: (id: string) => void;
  /** Opens the form of a status; null for a role that may not change it. */
  changeStatus: ((status: IncidentStatus) => void) | null;
}

/** The answer of a model: plain text only, because what it read may have been written by an attacker. */
export function AnswerView({ incident, answer, showRecord, changeStatus }: AnswerProps) {
  const numbers = citationNumbers(answer);
  return (
    <div className="analyst-answer">
      <p className="notice analyst-mark">
        <Icon name="warning" />
        <span>
          Text of a model: may be wrong. It may also repeat what an attacker wrote into the evidence.
        </span>
      </p>
      <p>
        <span className="strong">{ASSESSMENT_NAMES[answer.assessment]}</span>{" "}
        <span className="muted small" title="As the model states it; it is not calibrated">
          stated confidence {formatShare(answer.confidence)}
        </span>
      </p>
      <p className="wrap analyst-text">
        <Foreign text={answer.summary} />
      </p>
      <section aria-label="Reasoning">
        <h3>Reasoning</h3>
        <ol className="analyst-claims">
          {answer.reasoning.map(({ claim, evidence_ids }, index) => (
            <li key={index} className="wrap analyst-text">
              <Foreign text={claim} /> {[...new Set(evidence_ids)].map((id) => (
                <Citation
                  key={id}
                  number={numbers.get(id)!}
                  reach={reachOf(incident, id)}
                  show={() => showRecord(id)}
                />
              ))}
            </li>
          ))}
        </ol>
      </section>
      {answer.next_steps.length > 0 && (
        <section aria-label="Next steps">
          <h3>Next steps</h3>
          <ul className="analyst-steps">
            {answer.next_steps.map((step, index) => (
              <li key={index} className="wrap analyst-text">
                <Foreign text={step} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {answer.suggestion !== null && (
        <Suggestion incident={incident} suggestion={answer.suggestion} changeStatus={changeStatus} />
      )}
    </div>
  );
}

const REACH_TITLES: Record<Reach, string> = {
  shown: "Show this record in the evidence",
  not_retained: "This record is no longer retained",
  not_listed: "This record is not among the newest records of the incident",
};

function Citation({ number, reach, show }: { number: number; reach: Reach; show: () => void }) {
  if (reach === "shown") {
    return (
      <button
        type="button"
        className="citation"
        title={REACH_TITLES.shown}
        aria-label={`Record ${number} of the evidence`}
        onClick={show}
      >
        [{number}]
      </button>
    );
  }
  return (
    <span className="citation citation-gone">
      [{number}] {reach === "not_retained" ? "no longer retained" : "not listed"}
      <span className="hidden">: {REACH_TITLES[reach]}</span>
    </span>
  );
}

interface SuggestionProps extends Pick<AnswerProps, "incident" | "changeStatus"> {
  suggestion: NonNullable<AnalystAnswer["suggestion"]>;
}

const STATUS_BUTTONS: Record<IncidentStatus, string> = {
  open: "Reopen",
  investigating: "Investigate",
  resolved: "Resolve…",
  false_positive: "False positive…",
};

function Suggestion({ incident, suggestion, changeStatus }: SuggestionProps) {
  return (
    <section aria-label="Suggestion">
      <h3>Suggestion</h3>
      <p className="wrap analyst-text">
        <Foreign text={suggestion.reason} />
      </p>
      {suggestion.kind === "search"
        ? (
          <>
            <p className="wrap mono small">
              <Foreign text={suggestion.filter} />
            </p>
            <p>
              <Link
                {...to.explore({ scope: windowAround(incident) })}
                state={{ proposed: { text: suggestion.filter } }}
                className="button"
                title="Puts the filter into the bar of Explore; it runs when you press Enter"
              >
                Open this search
              </Link>
            </p>
          </>
        )
        : suggestion.status === incident.status
        ? (
          <p className="soft small">
            The incident is {formatLabel(incident.status).toLowerCase()} already.
          </p>
        )
        : changeStatus !== null
        ? (
          <p>
            <button type="button" className="button" onClick={() => changeStatus(suggestion.status)}>
              {STATUS_BUTTONS[suggestion.status]}
            </button>
          </p>
        )
        : <p className="soft small">Suggested status: {formatLabel(suggestion.status).toLowerCase()}.</p>}
    </section>
  );
}
