import type { SentPart, SentText } from "../../../contract/analyst/analyst-run.ts";
import { formatBytes } from "../../ui/format.ts";
import { Foreign } from "../../ui/foreign.tsx";

const encoder = new TextEncoder();

/** The exact texts of a request, each folded. */
export function SentTexts(
  { sent: { system, user }, what }: { sent: SentText; what: "Incident" | "Question" },
) {
  return (
    <>
      <Text title="Instructions" text={system} />
      <Text title={`${what} as it is sent`} text={user} />
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

const PART_NAMES: Record<SentPart, string> = {
  names: "host, user and domain names",
  addresses: "addresses",
  payloads: "texts of payloads",
};

/** In words, which parts are sent as they are, and which are not. */
function sentPartsText(sent: readonly SentPart[]): { asIs: string; hidden: string } {
  const all = Object.keys(PART_NAMES) as SentPart[];
  const words = (parts: SentPart[]) => parts.map((part) => PART_NAMES[part]).join("; ");
  return {
    asIs: words(all.filter((part) => sent.includes(part))),
    hidden: words(all.filter((part) => !sent.includes(part))),
  };
}

/** Which parts leave the appliance as they are. */
export function SentParts({ parts }: { parts: readonly SentPart[] }) {
  const { asIs, hidden } = sentPartsText(parts);
  return (
    <ul className="sent-parts small">
      {asIs !== "" && <li>Sent as they are: {asIs}.</li>}
      {hidden !== "" && <li>Replaced by placeholders or left out: {hidden}.</li>}
    </ul>
  );
}
