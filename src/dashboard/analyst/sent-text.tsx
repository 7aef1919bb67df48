import type { SentPart, SentText } from "../../contract/analyst/analyst-run.ts";
import { formatBytes } from "../ui/format.ts";
import { Foreign } from "../ui/foreign.tsx";
import { sentPartsText } from "./run-labels.ts";

const encoder = new TextEncoder();

/** The exact texts of a request, each folded. */
export function SentTexts({ sent: { system, user } }: { sent: SentText }) {
  return (
    <>
      <Text title="Instructions" text={system} />
      <Text title="Incident as it is sent" text={user} />
    </>
  );
}

function Text({ title, text }: { title: string; text: string }) {
  return (
    <details className="sent-text">
      <summary>
        {title} <span className="muted small">{formatBytes(encoder.encode(text).length)}</span>
      </summary>
      {/* A long text scrolls, which must be possible by keyboard. */}
      <pre tabIndex={0} aria-label={title}><Foreign text={text} /></pre>
    </details>
  );
}

/** Which parts of the incident leave the appliance. */
export function SentParts({ parts }: { parts: readonly SentPart[] }) {
  const { asIs, hidden } = sentPartsText(parts);
  return (
    <ul className="sent-parts small">
      {asIs !== "" && <li>Sent as they are: {asIs}.</li>}
      {hidden !== "" && <li>Replaced by placeholders or left out: {hidden}.</li>}
    </ul>
  );
}
