import { Link } from "@tanstack/react-router";
import type { Incident } from "../../contract/incident.ts";
import { formatExact, formatWord } from "../format.ts";
import { SEVERITY_ORDER, SeverityIcon } from "./tags.tsx";

/** Open incidents by severity: one bar in proportion, and a number each that leads to them. */
export function SeverityPicture({ incidents, more }: { incidents: Incident[]; more: boolean }) {
  const counts = SEVERITY_ORDER.map((severity) => ({
    severity,
    count: incidents.filter((incident) => incident.severity === severity).length,
  }));
  const shown = counts.filter(({ count }) => count > 0);
  const total = Math.max(1, incidents.length);
  let left = 0;
  return (
    <div className="severity-picture">
      <div className="severity-total">
        <span className="big-number">{formatExact(incidents.length)}{more && "+"}</span>
        <span className="soft">open</span>
      </div>
      <div className="severity-rest">
        <svg className="severity-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
          <rect className="track" width="100" height="10" />
          {shown.map(({ severity, count }) => {
            const x = left;
            left += count / total * 100;
            return <rect key={severity} className={`fill-${severity}`} x={x} width={left - x} height="10" />;
          })}
        </svg>
        <ul className="severity-counts">
          {counts.map(({ severity, count }) => (
            <li key={severity}>
              <Link
                to="/incidents"
                search={{ status: "open", severity }}
                className={count === 0 ? "severity-count severity-none" : `severity-count ink-${severity}`}
              >
                <span className="severity-number">{formatExact(count)}</span>
                <span className="severity-name">
                  <SeverityIcon severity={severity} />
                  {formatWord(severity)}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
