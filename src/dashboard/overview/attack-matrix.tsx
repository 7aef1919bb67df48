import type { ReactNode } from "react";
import { formatExact } from "../ui/format.ts";
import { type Tactic, TACTICS, tacticsOf, techniqueName } from "../../kit/attack.ts";
import { ChartFrame } from "../ui/chart/chart-frame.tsx";
import { heatLevel } from "../ui/chart/stack.ts";

interface TechniqueCount {
  /** Such as `T1071.001`. */
  technique: string;
  count: number;
}

interface AttackMatrixProps {
  label: string;
  counts: TechniqueCount[];
  /** Makes a technique a link. */
  link: (technique: string, label: ReactNode) => ReactNode;
  height?: number;
}

interface Cell extends TechniqueCount {
  name: string;
  tactics: readonly Tactic[];
}

/** MITRE ATT&CK: the techniques of each tactic with their counts. */
export function AttackMatrix({ label, counts, link, height = 232 }: AttackMatrixProps) {
  const cells: Cell[] = counts.map(({ technique, count }) => ({
    technique,
    count,
    name: techniqueName(technique),
    tactics: tacticsOf(technique),
  })).sort((a, b) => b.count - a.count || a.technique.localeCompare(b.technique));
  const most = Math.max(0, ...counts.map(({ count }) => count));
  const columns: { id: string; name: string; cells: Cell[] }[] = TACTICS.map(({ id, name }) => ({
    id,
    name,
    cells: cells.filter(({ tactics }) => tactics.includes(id)),
  }));
  const others = cells.filter(({ tactics }) => tactics.length === 0);
  if (others.length > 0) columns.push({ id: "other", name: "Other", cells: others });
  const shown = columns.filter(({ cells }) => cells.length > 0);
  const none = columns.filter(({ cells }) => cells.length === 0);
  return (
    <ChartFrame
      label={label}
      height={height}
      table={{
        head: ["Technique", "Name", "Tactics", "Incidents"],
        rows: cells.map(({ technique, name, tactics, count }) => ({
          key: technique,
          cells: [
            link(technique, technique),
            name,
            TACTICS.filter(({ id }) => tactics.includes(id)).map(({ name }) => name).join(", ") || "–",
            formatExact(count),
          ],
        })),
      }}
    >
      <div className="attack" role="region" aria-label={`${label}: tactics`} tabIndex={0}>
        <ol>
          {shown.map(({ id, name, cells }) => (
            <li key={id}>
              <p className="attack-tactic">{name}</p>
              <ul>
                {cells.map(({ technique, name, count }) => (
                  <li key={technique} className={`attack-cell attack-${heatLevel(count, most)}`}>
                    {link(
                      technique,
                      <>
                        <span className="attack-name" title={name}>
                          <span className="mono">{technique}</span> {name}
                        </span>{" "}
                        <span className="attack-count">{formatExact(count)}</span>
                      </>,
                    )}
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ol>
        <p className="small muted">
          {shown.length === 0
            ? "No incident of any tactic."
            : `None: ${none.map(({ name }) => name).join(", ")}.`}
        </p>
      </div>
    </ChartFrame>
  );
}
