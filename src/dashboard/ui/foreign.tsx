import { useQuery } from "@tanstack/react-query";
import { splitHidden } from "./json-text.ts";
import { deviceDirectory } from "../base/queries.ts";
import { useSignedIn } from "../base/session.ts";

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

/** A device's name if the directory has it, otherwise `fallback`, otherwise the identifier. */
export function useDeviceName(): (id: string, fallback?: string) => string {
  const { tenant } = useSignedIn();
  const { data } = useQuery(deviceDirectory(tenant));
  return (id, fallback) => data?.devices.get(id)?.display_name ?? fallback ?? id;
}
