import type { FormEvent } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { AnalystRunPreview } from "../../contract/analyst/analyst-run.ts";
import { ApiFailure } from "../base/api.ts";
import { to } from "../base/links.ts";
import { useSignedIn } from "../base/session.ts";
import { useCreation } from "../base/use-creation.ts";
import { Fact } from "../ui/fact.tsx";
import { FormEnd } from "../ui/form-end.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { formatExact, plural } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { runPreview } from "./analyst-queries.ts";
import { BudgetBar, leftOf } from "./budget-bar.tsx";
import { dollars } from "./money.ts";
import { SentParts, SentTexts } from "./sent-text.tsx";

interface AskDialogProps {
  incidentId: string;
  started: () => void;
  cancel: () => void;
}

/** What a run would send and cost, before anything leaves the appliance. */
export function AskDialog({ incidentId, started, cancel }: AskDialogProps) {
  const { tenant } = useSignedIn();
  const { data, error, isFetching, refetch } = useQuery(runPreview(tenant, incidentId));
  if (error && !isFetching) {
    return error instanceof ApiFailure && error.code === "provider_disabled"
      ? <Disabled message={error.message} />
      : <ErrorState what="The preview" error={error} retry={() => void refetch()} />;
  }
  if (data === undefined) return <SkeletonBlock />;
  return <Preview incidentId={incidentId} preview={data} started={started} cancel={cancel} />;
}

function Disabled({ message }: { message: string }) {
  return (
    <p className="notice">
      <Icon name="help" />
      <span>
        {message} <Link {...to.help("analyst")} className="link">How to configure one</Link>
      </span>
    </p>
  );
}

function Preview({ incidentId, preview, started, cancel }: AskDialogProps & { preview: AnalystRunPreview }) {
  const { model, sent, sent_parts, placeholders, evidence_ids, evidence_omitted, budget } = preview;
  const start = useCreation("createAnalystRun", { params: { incident_id: incidentId } }, started);
  const isShort = preview.worst_microusd > leftOf(budget);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate({});
  };
  return (
    <form className="form analyst-ask" onSubmit={submit}>
      <p className="soft">
        The model reads the text below and answers with an assessment. It changes nothing: no score, no
        status, no filter.
      </p>
      <dl className="facts">
        <Fact name="Model" wrap>
          <Foreign text={model.model} /> <span className="muted">at provider</span>{" "}
          <Foreign text={model.provider} />
        </Fact>
        <Fact name="Evidence">
          {plural(evidence_ids.length, "record")} sent{evidence_omitted > 0 &&
            `, ${plural(evidence_omitted, "record")} left out because of the token limit`}
        </Fact>
        <Fact name="Placeholders">
          {placeholders === 0
            ? "None"
            : `${plural(placeholders, "name or address", "names and addresses")} replaced`}
        </Fact>
        <Fact name="Tokens">
          about {formatExact(preview.estimated_input_tokens)} in, at most{" "}
          {formatExact(preview.max_output_tokens)} out
        </Fact>
        <Fact name="Cost">
          <span className="strong">about {dollars(preview.estimated_microusd)}</span>, at most{" "}
          {dollars(preview.worst_microusd)}, which is reserved first
        </Fact>
      </dl>
      <BudgetBar budget={budget} />
      <section aria-label="What is sent">
        <h3>What is sent</h3>
        <SentParts parts={sent_parts} />
        <SentTexts sent={sent} />
      </section>
      {isShort && (
        <p className="notice notice-warning" role="status">
          <Icon name="warning" />
          <span>
            The highest possible cost does not fit into what is left of today's budget. It is renewed at 00:00
            UTC; reserved amounts may become free before.
          </span>
        </p>
      )}
      <FormEnd
        fault={start.error && `Not started: ${start.error.message}`}
        saving={start.isPending}
        blocked={isShort}
        send="Start"
        cancel={cancel}
      />
    </form>
  );
}
