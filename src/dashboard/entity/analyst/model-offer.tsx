import { type FormEvent, useState } from "react";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { AnalystCallPreview } from "../../../contract/analyst/analyst-run.ts";
import { useSignedIn } from "../../base/session.ts";
import type { Declined } from "../../search/query-bar.tsx";
import { proposalPreview, proposeFilter } from "../../search/search-queries.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormEnd } from "../../ui/form-end.tsx";
import { CallPreview, isShort } from "./call-preview.tsx";

/** For a query bar: what to do about a declined question. Only analysts may ask. */
export function offerModel(declined: Declined) {
  return <ModelOffer {...declined} />;
}

/** Offers to ask the tenant's language model; nothing if it has none. */
function ModelOffer({ question, proposed }: Declined) {
  const { tenant, session, roles } = useSignedIn();
  const mayAsk = roles.includes("analyst");
  const { data: preview } = useQuery({
    ...proposalPreview(tenant, question, session.csrf_token),
    enabled: mayAsk,
  });
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  if (preview === undefined) return null;
  return (
    <div className="query-notes">
      <button type="button" className="button button-small" onClick={() => setOpen(true)}>
        Ask the model for a filter…
      </button>
      <Dialog title="Ask the model for a filter" open={open} close={close} className="dialog-wide">
        <AskForm
          question={question}
          preview={preview}
          proposed={(filter) => {
            close();
            proposed(filter);
          }}
          cancel={close}
        />
      </Dialog>
    </div>
  );
}

interface AskFormProps extends Declined {
  preview: AnalystCallPreview;
  cancel: () => void;
}

function AskForm({ question, preview, proposed, cancel }: AskFormProps) {
  const { session } = useSignedIn();
  const asking = useMutation({
    mutationFn: () => proposeFilter(question, session.csrf_token),
    onSuccess: ({ interpretation }) => proposed(interpretation),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    asking.mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      <p className="soft">
        The model turns “{question}” into a filter. The filter appears in the bar; it runs when you press
        Enter.
      </p>
      <CallPreview preview={preview} what="Question" />
      <FormEnd
        fault={asking.error && `No filter: ${asking.error.message}`}
        saving={asking.isPending}
        savingText="Asking…"
        blocked={isShort(preview)}
        send="Ask"
        cancel={cancel}
      />
    </form>
  );
}
