import { Foreign } from "../ui/foreign.tsx";
import { splitAddresses } from "./addresses.ts";
import { EntityChip } from "./entity-chip.tsx";

interface LinkedTextProps {
  text: string;
  className?: string;
}

/** Text that came over the network or from a person, with each address as a value to follow. */
export function LinkedText({ text, className = "" }: LinkedTextProps) {
  return (
    <span className={`linked-text ${className}`.trim()}>
      {splitAddresses(text).map((part, index) =>
        part.address
          ? <EntityChip key={index} kind="address" value={part.text} />
          : <Foreign key={index} text={part.text} />
      )}
    </span>
  );
}
