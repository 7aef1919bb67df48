import type { ReactNode } from "react";
import { ApiFailure } from "../base/api.ts";
import { Icon, type IconName, Logo } from "./icons.tsx";

/** Shown before the session is known. */
export function Splash() {
  return (
    <main className="splash" aria-busy="true">
      <Logo size={40} />
      <span className="hidden">Loading</span>
    </main>
  );
}

/** Placeholders for rows. */
export function SkeletonRows({ rows = 6 }: { rows?: number }) {
  return (
    <div className="skeleton-rows" role="status">
      <span className="hidden">Loading</span>
      {Array.from({ length: rows }, (_, row) => <div className="skeleton" key={row} />)}
    </div>
  );
}

export function SkeletonBlock({ tall = false }: { tall?: boolean }) {
  return (
    <div className={tall ? "skeleton skeleton-tall" : "skeleton skeleton-block"} role="status">
      <span className="hidden">Loading</span>
    </div>
  );
}

interface EmptyProps {
  icon?: IconName;
  title: string;
  children?: ReactNode;
}

/** An empty state: what is missing, why, and the next step. */
export function Empty({ icon = "check", title, children }: EmptyProps) {
  return (
    <div className="empty">
      <Icon name={icon} className="empty-icon" />
      <p className="strong">{title}</p>
      {children}
    </div>
  );
}

/** The error in plain words, its code and request id for the log, and a retry. */
export function ErrorState({ error, retry, what }: { error: unknown; retry?: () => void; what: string }) {
  const failure = error instanceof ApiFailure ? error : null;
  return (
    <div className="failure" role="alert">
      <Icon name="warning" className="failure-icon" />
      <div className="failure-text">
        <p className="strong">{what} could not be loaded</p>
        <p className="soft wrap">{error instanceof Error ? error.message : String(error)}</p>
        {failure && (
          <p className="muted small wrap">
            <code>{failure.code}</code>
            {failure.requestId && (
              <>
                {" "}· request <code>{failure.requestId}</code>
              </>
            )}
          </p>
        )}
      </div>
      {retry && <button type="button" className="button" onClick={retry}>Try again</button>}
    </div>
  );
}

/** Shown while an earlier answer stays on screen although reading it again failed. */
export function StaleNotice({ error, retry }: { error: unknown; retry: () => void }) {
  if (error === null || error === undefined) return null;
  return (
    <p className="notice notice-warning" role="status">
      <Icon name="warning" />
      <span>This may be outdated: {error instanceof Error ? error.message : String(error)}</span>
      <button type="button" className="button button-small" onClick={retry}>Try again</button>
    </p>
  );
}
