import { EntityChip } from "../../entity/entity-chip.tsx";
import type { TalkNode } from "./talk-graph.ts";

/** The name of an end, which leads to its page if it has one. */
export function TalkNodeName({ node: { kind, value, label, country } }: { node: TalkNode }) {
  return kind === "rest" || kind === "unstated"
    ? <span className="soft">{label}</span>
    : <EntityChip kind={kind} value={value} label={label} country={country} />;
}
