import { type ReactNode, useContext, useState } from "react";
import { createPortal } from "react-dom";
import { Icon } from "../icons.tsx";
import { ToolsSlot } from "./tools-slot.ts";

/** The numbers behind a chart. The first column names the row. */
interface ChartTable {
  head: string[];
  rows: { key: string; cells: ReactNode[] }[];
}

interface ChartFrameProps {
  /** The accessible name: what is shown, in which unit. */
  label: string;
  /** Pixels; the same for the chart, its table and its placeholder, so that nothing shifts. */
  height: number;
  table: ChartTable;
  /** Series with their colours, above the chart. Without one the button is in the head of the card. */
  legend?: ReactNode;
  children: ReactNode;
}

/** A chart with its legend and the button that shows its numbers as a table. */
export function ChartFrame({ label, height, table, legend, children }: ChartFrameProps) {
  const [asTable, setAsTable] = useState(false);
  const slot = useContext(ToolsSlot);
  const toggle = (
    <button
      type="button"
      className="button-icon chart-toggle"
      aria-pressed={asTable}
      aria-label={`Show as table: ${label}`}
      title={asTable ? "Show as chart" : "Show as table"}
      onClick={() => setAsTable(!asTable)}
    >
      <Icon name={asTable ? "chart" : "table"} />
    </button>
  );
  return (
    <figure className="chart" aria-label={label}>
      {legend === undefined && slot !== undefined
        ? slot && createPortal(toggle, slot)
        : (
          <div className="chart-tools">
            <div className="chart-legend">{legend}</div>
            {toggle}
          </div>
        )}
      <div className="chart-body" style={{ height }}>
        {asTable ? <Numbers label={label} table={table} /> : children}
      </div>
    </figure>
  );
}

function Numbers({ label, table: { head, rows } }: { label: string; table: ChartTable }) {
  return (
    <div className="chart-table" role="region" aria-label={`${label}: table`} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {head.map((name, at) => (
              <th key={at} scope="col" className={at === 0 ? undefined : "number"}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, at) =>
                at === 0 ? <th key={at} scope="row">{cell}</th> : <td key={at} className="number">{cell}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface LegendEntry {
  key: string;
  colourClass: string;
  /** The name, or a link with it. */
  label: ReactNode;
  amount?: string;
}

export function Legend({ entries }: { entries: LegendEntry[] }) {
  return (
    <ul className="legend">
      {entries.map(({ key, colourClass, label, amount }) => (
        <li key={key}>
          <svg className={`legend-mark ${colourClass}`} viewBox="0 0 10 10" aria-hidden="true">
            <rect width="10" height="10" rx="2" />
          </svg>
          {label}
          {amount !== undefined && <span className="muted">{amount}</span>}
        </li>
      ))}
    </ul>
  );
}
