import type { ReactNode } from "react";
import { formatShare } from "../format.ts";
import { ChartFrame } from "./chart-frame.tsx";
import { type ChartColour, colourClass } from "./colour.ts";
import { formatAmount, formatCell, type Unit, unitName } from "./unit.ts";

interface BarRow {
  key: string;
  /** The value: a link or a chip. */
  name: ReactNode;
  value: number;
}

interface BarListProps {
  label: string;
  /** The head of the first column of the table. */
  of: string;
  rows: BarRow[];
  unit: Unit;
  /** What shares refer to. Default: the sum of the rows. */
  total?: number;
  colour?: ChartColour;
  /** Rows for which there is room; the height does not depend on how many there are. */
  room?: number;
  /** Shown without rows. */
  empty?: string;
}

/** Height of a row in pixels. */
export const BAR_HEIGHT = 26;

/** Values with their amounts and shares, the largest first. */
export function BarList({ label, of, rows, unit, total, colour = "cat-1", room = 8, empty }: BarListProps) {
  const all = total ?? rows.reduce((sum, { value }) => sum + value, 0);
  const most = Math.max(1, ...rows.map(({ value }) => value));
  const share = (value: number) => all > 0 ? formatShare(value / all) : "–";
  return (
    <ChartFrame
      label={label}
      height={room * BAR_HEIGHT}
      table={{
        head: [of, unitName(unit), "Share"],
        rows: rows.map(({ key, name, value }) => ({
          key,
          cells: [name, formatCell(unit, value), share(value)],
        })),
      }}
    >
      {rows.length === 0 && <p className="chart-empty muted">{empty ?? "Nothing in this period."}</p>}
      <ol className="bar-list">
        {rows.slice(0, room).map(({ key, name, value }) => (
          <li key={key}>
            <span className="bar-list-name">{name}</span>
            <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <rect className="track" width="100" height="8" />
              <rect
                className={`chart-fill ${colourClass(colour)}`}
                width={value > 0 ? Math.max(1, 100 * value / most) : 0}
                height="8"
              />
            </svg>
            <span className="number" title={formatAmount(unit, value)}>{formatCell(unit, value)}</span>
            <span className="number muted">{share(value)}</span>
          </li>
        ))}
      </ol>
    </ChartFrame>
  );
}
