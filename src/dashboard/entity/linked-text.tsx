import { Foreign } from "../ui/foreign.tsx";
import { Time } from "../ui/time/time.tsx";
import { splitAddresses } from "./addresses.ts";
import { EntityChip } from "./entity-chip.tsx";
import { splitTimes } from "./text-times.ts";

interface LinkedTextProps {
  text: string;
  className?: string;
}

/**
 * Text that came over the network or from a person, with each address as a value to follow, and the times that the
 * service wrote into it in the zone of the page.
 */
export function LinkedText({ text, className = "" }: LinkedTextProps) {
  return (
    <span className={`linked-text ${className}`.trim()}>
      {splitTimes(text).map(({ text, at, after }, index) =>
        at === null
          ? <Addresses key={index} text={text} />
          : <Time key={index} at={at} after={after} short={!HAS_SECONDS.test(text)} />
      )}
    </span>
  );
}

const HAS_SECONDS = /:\d\d:\d\d/;

function Addresses({ text }: { text: string }) {
  return splitAddresses(text).map((part, index) =>
    part.address
      ? <EntityChip key={index} kind="address" value={part.text} />
      : <Foreign key={index} text={part.text} />
  );
}
