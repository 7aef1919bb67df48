import { Link } from "@tanstack/react-router";
import type { Incident } from "../../contract/incident/incident.ts";
import { formatExact, formatLabel } from "../ui/format.ts";
import type { Window } from "../ui/time/range.ts";
import { SEVERITY_ORDER } from "../ui/severity.ts";
import { SeverityIcon } from "../ui/tags.tsx";
import { Time } from "../ui/time/time.tsx";

const WIDTH = 1000;
/** Least width of a stroke, so that a moment is visible. */
const LEAST = 5;

interface LaneProps {
  incidents: Incident[];
  window: Window;
}

/** One stroke per incident, from first to last seen. */
function Lane({ incidents, window }: LaneProps) {
  const from = Date.parse(window.from);
  const length = Math.max(1, Date.parse(window.to) - from);
  const at = (time: string) => Math.min(WIDTH, Math.max(0, (Date.parse(time) - from) / length * WIDTH));
  return (
    <svg className="lane" viewBox={`0 0 ${WIDTH} 12`} preserveAspectRatio="none" aria-hidden="true">
      <path className="grid-line" d={`M0 6H${WIDTH}`} />
      {incidents.map(({ id, severity, first_seen, last_seen }) => {
        const end = Math.max(at(last_seen), LEAST);
        const start = Math.min(at(first_seen), end - LEAST);
        return (
          <rect
            key={id}
            className={`fill-${severity}`}
            x={start}
            y="1"
            width={end - start}
            height="10"
            rx="2"
          />
        );
      })}
    </svg>
  );
}

interface SeverityPictureProps extends LaneProps {
  /** There are more incidents than were loaded. */
  more: boolean;
}

/** Open incidents: count per severity, and when they were active. Each severity links to its list. */
export function SeverityPicture({ incidents, window, more }: SeverityPictureProps) {
  return (
    <div className="severity-picture">
      <p className="severity-total">
        <span className="huge-number">{formatExact(incidents.length)}{more && "+"}</span>
        <span className="soft">open</span>
      </p>
      <div className="lanes">
        <ul>
          {SEVERITY_ORDER.map((severity) => {
            const mine = incidents.filter((incident) => incident.severity === severity);
            const name = mine.length === 0 ? "lane-name muted" : `lane-name ink-${severity}`;
            return (
              <li key={severity}>
                <Link to="/incidents" search={{ status: "open", severity }} className="lane-row">
                  <span className={name}>
                    <SeverityIcon severity={severity} />
                    {formatLabel(severity)}
                  </span>
                  <span className={mine.length === 0 ? "lane-count muted" : "lane-count strong"}>
                    {formatExact(mine.length)}
                  </span>
                  <Lane incidents={mine} window={window} />
                </Link>
              </li>
            );
          })}
        </ul>
        <p className="lane-axis muted small">
          <Time at={window.from} short />
          <Time at={window.to} short />
        </p>
      </div>
    </div>
  );
}
