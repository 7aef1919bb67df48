import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { AnalystRun } from "../../contract/analyst/analyst-run.ts";
import { to } from "../base/links.ts";
import { useSignedIn } from "../base/session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { plural } from "../ui/format.ts";
import { Card } from "../ui/page.tsx";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { Time } from "../ui/time/time.tsx";
import { runsFor } from "./analyst-queries.ts";
import { AskDialog } from "./ask-dialog.tsx";
import { ASSESSMENT_NAMES, isActive, STATE_NAMES } from "./run-labels.ts";
import { RunView, type RunViewProps } from "./run-view.tsx";

/** Runs of a language model over an incident: ask, follow, read, give feedback. */
export function AnalystCard(props: RunViewProps) {
  const { incident: { id, analyst } } = props;
  const { tenant, roles } = useSignedIn();
  const [asking, setAsking] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const hasRun = analyst.run_id !== null;
  // Without a run there is nothing to read.
  const { data, error, isPending, refetch } = useQuery({ ...runsFor(tenant, id), enabled: hasRun });
  const runs = data ?? [];
  const run = runs.find(({ run_id }) => run_id === chosen) ?? runs[0];
  const isDisabled = analyst.state === "provider_disabled" && !hasRun;
  const mayAsk = roles.includes("analyst") && !isDisabled && !runs.some(isActive);
  const close = () => setAsking(false);
  return (
    <Card
      title="Analyst run"
      className="analyst-card"
      note={runs.length > 1 ? plural(runs.length, "run") : undefined}
    >
      {isDisabled
        ? (
          <p className="soft">
            No model provider is configured, so nothing can be sent.{" "}
            <Link {...to.help("analyst")} className="link">How to configure one</Link>
          </p>
        )
        : !hasRun
        ? <p className="soft">No model was asked about this incident.</p>
        : run !== undefined
        ? <RunView key={run.run_id} run={run} {...props} />
        : isPending
        ? <SkeletonBlock />
        : <ErrorState what="The analyst runs" error={error} retry={() => void refetch()} />}
      {mayAsk && (
        <p className="response-offer">
          <button type="button" className="button" onClick={() => setAsking(true)}>
            Ask the model…
          </button>
        </p>
      )}
      {runs.length > 1 && <EarlierRuns runs={runs} shown={run!.run_id} show={setChosen} />}
      <Dialog title="Ask the model" open={asking} close={close} className="dialog-wide">
        <AskDialog
          incidentId={id}
          started={() => {
            setChosen(null);
            close();
          }}
          cancel={close}
        />
      </Dialog>
    </Card>
  );
}

interface EarlierRunsProps {
  /** Newest first. */
  runs: readonly AnalystRun[];
  shown: string;
  show: (run: string) => void;
}

function EarlierRuns({ runs, shown, show }: EarlierRunsProps) {
  return (
    <details>
      <summary>All runs</summary>
      <ol className="analyst-runs">
        {runs.map(({ run_id, requested_at, state, assessment, feedback }) => (
          <li key={run_id}>
            <button
              type="button"
              className="button button-small button-quiet"
              aria-pressed={run_id === shown}
              onClick={() => show(run_id)}
            >
              <Time at={requested_at} />
              {": "}
              {assessment === null ? STATE_NAMES[state] : ASSESSMENT_NAMES[assessment]}
              {feedback !== null && (feedback.agrees ? ", agreed" : ", disagreed")}
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}
