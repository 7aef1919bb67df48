import { useState } from "react";
import { Link } from "@tanstack/react-router";
import type { IncidentDetail } from "../../contract/incident/incident.ts";
import { useSignedIn } from "../app/session.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Foreign } from "../ui/names.tsx";
import { Card } from "../ui/page.tsx";
import { SuppressForm } from "./suppress-form.tsx";
import { Time } from "../ui/time/time.tsx";

/** What is accepted of an incident, or how to accept it. */
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
  return (
    <Card
      title="Suppression"
      action={<Link to="/suppressions" className="link small">All suppressions</Link>}
    >
      {suppressed
        ? (
          <>
            <p>
              Accepted until{" "}
              <Time at={suppressed.until} />; until then it does not count for the scores of its devices.
            </p>
            <p className="history-comment wrap">
              <Foreign text={suppressed.reason} />
            </p>
          </>
        )
        : (
          <div className="suppress-offer">
            <p className="soft" role="status">
              {saved
                ? "Accepted for what comes. This incident stays as it is: it is closed, or tells more than the pattern covers."
                : "Is this known and harmless? Accept its pattern, and it is kept without opening incidents."}
            </p>
            <button
              type="button"
              className="button"
              disabled={!roles.includes("analyst")}
              title={roles.includes("analyst") ? undefined : "Needs the analyst role"}
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
