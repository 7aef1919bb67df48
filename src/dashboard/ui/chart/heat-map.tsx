/// <reference lib="dom" />
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { ChartFrame } from "./chart-frame.tsx";
import { heatLevel } from "./stack.ts";

interface HeatRow {
  key: string;
  /** The row in words. */
  text: string;
  /** The head of the row: a link or a chip. */
  name: ReactNode;
  /** One per column; null if there can be none, such as before a sensor was configured. */
  values: (number | null)[];
}

export interface HeatColumn {
  key: string;
  /** Shown at some columns, such as `14:00`. */
  short: string;
  /** In words, such as `24 Mar, 14:00 to 15:00`. */
  text: string;
}

interface HeatMapProps {
  label: string;
  /** The head of the rows. */
  of: string;
  rows: HeatRow[];
  columns: HeatColumn[];
  format: (value: number | null) => string;
  /** `amount`: darker for more; `presence`: a share from 0 to 1, and 0 is marked. */
  scale?: "amount" | "presence";
  /** Rows for which there is room; the height does not depend on how many there are. */
  room?: number;
  /** Enter or a click on a cell. */
  onOpen?: (row: HeatRow, column: number) => void;
  /** Shown without rows. */
  empty?: string;
}

const ROW = 24;
const HEAD = 22;
const NOTE = 24;
const HEADS = 8;

interface Place {
  row: number;
  column: number;
}

/** Amounts by row and time. The cells form a grid: one tab stop, arrow keys between them. */
export function HeatMap(props: HeatMapProps) {
  const { label, of, rows, columns, format, scale = "amount", room = 10, onOpen } = props;
  const [active, setActive] = useState<Place>({ row: 0, column: 0 });
  const [pointed, setPointed] = useState<Place | null>(null);
  const table = useRef<HTMLTableElement>(null);
  const most = Math.max(0, ...rows.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const every = Math.max(1, Math.ceil(columns.length / HEADS));
  const place = {
    row: Math.min(active.row, rows.length - 1),
    column: Math.min(active.column, columns.length - 1),
  };
  const name = ({ row, column }: Place) =>
    `${rows[row]!.text}, ${columns[column]!.text}: ${format(rows[row]!.values[column] ?? null)}`;
  const move = (next: Place) => {
    const bounded = {
      row: Math.max(0, Math.min(rows.length - 1, next.row)),
      column: Math.max(0, Math.min(columns.length - 1, next.column)),
    };
    setActive(bounded);
    setPointed(bounded);
    table.current?.querySelector<HTMLElement>(`[data-cell="${bounded.row}/${bounded.column}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target as HTMLElement).dataset.cell) return;
    const { row, column } = place;
    const targets: Record<string, Place> = {
      ArrowLeft: { row, column: column - 1 },
      ArrowRight: { row, column: column + 1 },
      ArrowUp: { row: row - 1, column },
      ArrowDown: { row: row + 1, column },
      Home: { row: event.ctrlKey ? 0 : row, column: 0 },
      End: { row: event.ctrlKey ? rows.length - 1 : row, column: columns.length - 1 },
    };
    const target = targets[event.key];
    if (target !== undefined) move(target);
    else if (event.key === "Enter" && onOpen) onOpen(rows[row]!, column);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const shown = rows.slice(0, room);
  return (
    <ChartFrame
      label={label}
      height={HEAD + room * ROW + NOTE}
      table={{
        head: [of, ...columns.map(({ text }) => text)],
        rows: rows.map(({ key, name, values }) => ({
          key,
          cells: [name, ...columns.map((_, at) => format(values[at] ?? null))],
        })),
      }}
    >
      {shown.length === 0 || columns.length === 0
        ? <p className="chart-empty muted">{props.empty ?? "Nothing in this period."}</p>
        : (
          <>
            <table
              ref={table}
              className={`heat heat-${scale}`}
              role="grid"
              aria-label={label}
              onKeyDown={onKeyDown}
              onPointerLeave={() => setPointed(null)}
            >
              <thead>
                <tr>
                  <th scope="col" className="heat-head">
                    <span className="hidden">{of}</span>
                  </th>
                  {columns.map(({ key, short, text }, at) => (
                    <th key={key} scope="col">
                      <span className="hidden">{text}</span>
                      {at % every === 0 && (at === 0 || at < columns.length - 1) && (
                        <span
                          aria-hidden="true"
                          className={at / every % 2 === 1 ? "heat-between" : undefined}
                        >
                          {short}
                        </span>
                      )}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {shown.map((row, at) => (
                  <tr key={row.key}>
                    <th scope="row" className="heat-head">{row.name}</th>
                    {columns.map(({ key }, column) => {
                      const value = row.values[column] ?? null;
                      const level = value === null
                        ? "none"
                        : scale === "presence"
                        ? value >= 1 ? "on" : value > 0 ? "part" : "off"
                        : String(heatLevel(value, most));
                      const here = { row: at, column };
                      return (
                        <td
                          key={key}
                          data-cell={`${at}/${column}`}
                          className={onOpen ? "heat-open" : undefined}
                          tabIndex={place.row === at && place.column === column ? 0 : -1}
                          aria-label={name(here)}
                          onFocus={() => setPointed(here)}
                          onBlur={() => setPointed(null)}
                          onPointerEnter={() => setPointed(here)}
                          onClick={() => {
                            setActive(here);
                            onOpen?.(row, column);
                          }}
                        >
                          <span className={`heat-cell level-${level}`} />
                        </td>
                      );
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
            <p className="heat-note small soft" aria-hidden="true">
              {pointed !== null && rows[pointed.row] && columns[pointed.column] ? name(pointed) : ""}
            </p>
          </>
        )}
    </ChartFrame>
  );
}
