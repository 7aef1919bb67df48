import { useState } from "react";
import { Link } from "@tanstack/react-router";
import type { IncidentDetail } from "../../contract/incident/incident.ts";
import { useSignedIn } from "../base/session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { LinkedText } from "../entity/linked-text.tsx";
import { Card } from "../ui/page.tsx";
import { SuppressForm } from "./suppress-form.tsx";
import { Time } from "../ui/time/time.tsx";
import { to } from "../base/links.ts";

/** The suppression of an incident, or a way to create one. */
export function SuppressCard({ incident }: { incident: IncidentDetail }) {
  const { roles } = useSignedIn();
  const [open, setOpen] = useState(false);
  const [saved, setSaved] = useState(false);
  const close = () => setOpen(false);
  const finish = () => {
    setSaved(true);
    close();
  };
  const { suppressed } = incident;
  const allowed = roles.includes("analyst");
  return (
    <Card
      title="Suppression"
      action={<Link {...to.suppressions()} className="link small">All suppressions</Link>}
    >
      {suppressed
        ? (
          <>
            <p>
              Accepted until{" "}
              <Time at={suppressed.until} />; until then it does not count towards the scores of its devices.
            </p>
            <p className="history-comment wrap">
              <LinkedText text={suppressed.reason} />
            </p>
          </>
        )
        : !allowed
        ? <p className="soft">No suppression covers this incident.</p>
        : (
          <div className="suppress-offer">
            <p className="soft" role="status">
              {saved
                ? "Applies to future results. This incident stays as it is: it is closed, or covers more than the pattern."
                : "Known and harmless? Suppress the pattern: results are kept but open no incidents."}
            </p>
            <button
              type="button"
              className="button"
              onClick={() => setOpen(true)}
            >
              Suppress this pattern…
            </button>
          </div>
        )}
      <Dialog title="Suppress a pattern" open={open} close={close}>
        <SuppressForm incident={incident} saved={finish} cancel={close} />
      </Dialog>
    </Card>
  );
}
