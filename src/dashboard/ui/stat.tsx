import type { ReactNode } from "react";

interface StatProps {
  name: string;
  value: ReactNode;
  note?: ReactNode;
  /** Needs attention. */
  bad?: boolean;
}

/** One number with its name. */
export function Stat({ name, value, note, bad = false }: StatProps) {
  return (
    <dl className={bad ? "stat stat-bad" : "stat"}>
      <dt>{name}</dt>
      <dd>
        {value}
        {note && <span className="muted small">{note}</span>}
      </dd>
    </dl>
  );
}
