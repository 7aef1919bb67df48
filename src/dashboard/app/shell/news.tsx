import { Link } from "@tanstack/react-router";
import type { Incident } from "../../../contract/incident/incident.ts";
import type { ResponseAction } from "../../../contract/review/response.ts";
import { ACTION_VERBS, waitsFor } from "../../base/decisions.ts";
import { to } from "../../base/links.ts";
import { usePersonName } from "../../base/people.ts";
import { useSignedIn } from "../../base/session.ts";
import { plural } from "../../ui/format.ts";
import { Foreign } from "../../ui/foreign.tsx";
import { Icon } from "../../ui/icons.tsx";
import { SeverityIcon } from "../../ui/tags.tsx";
import { Ago } from "../../ui/time/time.tsx";

export interface NewsProps {
  /** Those opened since the person last looked, newest first. */
  incidents: readonly Incident[];
  /** Those that wait for a decision. */
  actions: readonly ResponseAction[];
  close: () => void;
}

/** What the panel of the notifications shows. */
export default function News({ incidents, actions, close }: NewsProps) {
  return (
    <>
      <h2>Since you last looked</h2>
      {actions.length > 0 && <Decisions actions={actions} close={close} />}
      {incidents.length === 0 ? <p className="muted">No new incidents.</p> : (
        <ul>
          {incidents.map((incident) => (
            <li key={incident.id}>
              <Link {...to.incident(incident.id)} className="news-item" onClick={close}>
                <SeverityIcon severity={incident.severity} />
                <span>
                  <Foreign text={incident.title} />
                  <span className="muted small">
                    <Ago at={incident.first_seen} />
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <Link {...to.triage()} className="button button-small" onClick={close}>Open triage</Link>
    </>
  );
}

/** Most decisions that the panel lists. */
const LISTED = 4;

function Decisions({ actions, close }: { actions: readonly ResponseAction[]; close: () => void }) {
  const { session } = useSignedIn();
  const nameOf = usePersonName();
  const rest = actions.length - LISTED;
  return (
    <>
      <h3>Decisions that wait</h3>
      <ul>
        {actions.slice(0, LISTED).map((action) => (
          <li key={action.action_id}>
            <Link {...to.responseAction(action.action_id)} className="news-item" onClick={close}>
              <Icon name="decision" />
              <span>
                <span>
                  {ACTION_VERBS[action.kind]}{" "}
                  <Foreign text={action.target.device_name ?? action.target.address ?? "the incident"} />
                </span>
                <span className="muted small">
                  {"proposed by "}
                  {action.mode === "automatic"
                    ? "the automatic mode"
                    : waitsFor(session.subject, action)
                    ? <Foreign text={nameOf(action.proposed_by)} />
                    : "you"}, <Ago at={action.proposed_at} />
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <Link {...to.review()} className="link small" onClick={close}>
          {plural(rest, "more decision")}
        </Link>
      )}
      <h3>Incidents</h3>
    </>
  );
}
