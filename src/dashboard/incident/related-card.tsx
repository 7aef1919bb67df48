import { Link } from "@tanstack/react-router";
import type { IncidentDetail, RelatedIncident } from "../../contract/incident/incident.ts";
import { to } from "../base/links.ts";
import { plural } from "../ui/format.ts";
import { Foreign } from "../ui/foreign.tsx";
import { Card } from "../ui/page.tsx";
import { SeverityIcon } from "../ui/tags.tsx";
import { StatusTag } from "../entity/incident/status-tag.tsx";
import { Time } from "../ui/time/time.tsx";

const REASONS: Record<RelatedIncident["reason"], string> = {
  same_device: "same device",
  same_destination: "same destination",
  same_device_and_destination: "same device and destination",
};

/** Incidents with a device or a main destination in common, the worst first. */
export function RelatedCard({ incident: { related } }: { incident: IncidentDetail }) {
  return (
    <Card title="Related incidents" note={plural(related.length, "incident")}>
      {related.length === 0
        ? <p className="soft">No other incident within a day has a device or destination in common.</p>
        : (
          <ul className="related">
            {related.map(({ id, title, severity, status, last_seen, reason }) => (
              <li key={id}>
                <Link {...to.incident(id)} className="related-link">
                  <SeverityIcon severity={severity} />
                  <Foreign text={title} />
                </Link>
                <p className="muted small">
                  <StatusTag status={status} /> {REASONS[reason]}, <Time at={last_seen} short />
                </p>
              </li>
            ))}
          </ul>
        )}
    </Card>
  );
}
