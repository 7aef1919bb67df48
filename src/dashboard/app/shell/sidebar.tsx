import { Link } from "@tanstack/react-router";
import { useSummary } from "../../base/feed.ts";
import { formatExact } from "../../ui/format.ts";
import { Icon } from "../../ui/icons.tsx";
import type { Summary } from "../../../contract/summary.ts";
import { HealthState } from "./health-state.tsx";
import { type Place, SECTIONS, usePlaces } from "./places.ts";
import { SavedLinks } from "./saved-links.tsx";

/** The pages, by what they are for; counts come from the change feed. */
export function Sidebar() {
  const places = usePlaces();
  const summary = useSummary();
  return (
    <nav aria-label="Main" className="nav">
      {SECTIONS.map((section) => {
        const own = places.filter((place) => place.section === section);
        if (own.length === 0) return null;
        return (
          <div key={section ?? "work"} className="nav-section">
            {section !== undefined && <h2 className="nav-heading" id={`nav-${section}`}>{section}</h2>}
            <ul aria-labelledby={section === undefined ? undefined : `nav-${section}`}>
              {own.map((place) => (
                <li key={place.name}>
                  <NavLink place={place} summary={summary} />
                </li>
              ))}
            </ul>
          </div>
        );
      })}
      <SavedLinks />
    </nav>
  );
}

function NavLink(
  { place: { name, icon, target, count }, summary }: { place: Place; summary: Summary | null },
) {
  const waiting = summary !== null && count !== undefined ? summary[count.of] : 0;
  return (
    <Link
      {...target()}
      className="nav-link"
      title={name}
      activeOptions={{ exact: name === "Overview", includeSearch: false }}
    >
      <Icon name={icon} />
      <span className="nav-name">{name}</span>
      {count !== undefined && waiting > 0 && (
        <span className={count.urgent ? "nav-count nav-count-urgent" : "nav-count"}>
          {formatExact(waiting)}
          <span className="hidden">{count.what}</span>
        </span>
      )}
      {name === "Health" && <HealthState />}
    </Link>
  );
}
