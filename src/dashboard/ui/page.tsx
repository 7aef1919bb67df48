/// <reference lib="dom" />
import { type ReactNode, useEffect, useState } from "react";
import { ToolsSlot } from "./chart/tools-slot.ts";
import { visibleText } from "./json-text.ts";

/** The document's title while a page is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${visibleText(title)} · NDR`;
  }, [title]);
}

interface PageHeaderProps {
  title: string;
  note?: ReactNode;
  children?: ReactNode;
}

/** The page's heading; controls of the whole page, such as the time range, are on the right. */
export function PageHeader({ title, note, children }: PageHeaderProps) {
  useTitle(title);
  return (
    <div className="page-header">
      <div>
        <h1>{title}</h1>
        {note && <p className="soft">{note}</p>}
      </div>
      {children && <div className="page-tools">{children}</div>}
    </div>
  );
}

interface CardProps {
  title: string;
  note?: ReactNode;
  action?: ReactNode;
  className?: string;
  /** Tables and lists extend to the edges. */
  flush?: boolean;
  children: ReactNode;
}

export function Card({ title, note, action, className = "", flush = false, children }: CardProps) {
  const [tools, setTools] = useState<HTMLElement | null>(null);
  return (
    <section className={`card ${className}`}>
      <div className="card-head">
        <h2>{title}</h2>
        {note && <span className="muted small">{note}</span>}
        {action && <span className="card-action">{action}</span>}
        <span className="card-tools" ref={setTools} />
      </div>
      <div className={flush ? "card-flush" : "card-body"}>
        <ToolsSlot.Provider value={tools}>{children}</ToolsSlot.Provider>
      </div>
    </section>
  );
}
