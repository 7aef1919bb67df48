import { splitHidden } from "./json-text.ts";

/**
 * Text that came over the network: never markup; hidden and direction-changing characters are made visible.
 */
export function Foreign({ text, className = "" }: { text: string; className?: string }) {
  return (
    <span className={`foreign ${className}`}>
      {splitHidden(text).map((part, index) =>
        typeof part === "string" ? part : <span key={index} className="unseen">{part.hidden}</span>
      )}
    </span>
  );
}
