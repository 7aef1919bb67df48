import type { FormEvent } from "react";
import { useQuery } from "@tanstack/react-query";
import type { AnalystRunPreview } from "../../contract/analyst/analyst-run.ts";
import { ApiFailure } from "../base/api.ts";
import { useSignedIn } from "../base/session.ts";
import { useCreation } from "../base/use-creation.ts";
import { CallPreview, isShort, NoProvider } from "../entity/analyst/call-preview.tsx";
import { Fact } from "../ui/fact.tsx";
import { FormEnd } from "../ui/form-end.tsx";
import { plural } from "../ui/format.ts";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { runPreview } from "./analyst-queries.ts";

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
      ? <NoProvider message={error.message} />
      : <ErrorState what="The preview" error={error} retry={() => void refetch()} />;
  }
  if (data === undefined) return <SkeletonBlock />;
  return <Preview incidentId={incidentId} preview={data} started={started} cancel={cancel} />;
}

function Preview({ incidentId, preview, started, cancel }: AskDialogProps & { preview: AnalystRunPreview }) {
  const { evidence_ids, evidence_omitted } = preview;
  const start = useCreation("createAnalystRun", { params: { incident_id: incidentId } }, started);
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
      <CallPreview preview={preview} what="Incident">
        <Fact name="Evidence">
          {plural(evidence_ids.length, "record")} sent{evidence_omitted > 0 &&
            `, ${plural(evidence_omitted, "record")} left out because of the token limit`}
        </Fact>
      </CallPreview>
      <FormEnd
        fault={start.error && `Not started: ${start.error.message}`}
        saving={start.isPending}
        blocked={isShort(preview)}
        send="Start"
        cancel={cancel}
      />
    </form>
  );
}
