/// <reference lib="dom" />
import { createContext, useContext, useMemo } from "react";
import type { IncidentDetail } from "../../contract/incident/incident.ts";
import { useSearch } from "@tanstack/react-router";
import { type RangeSearch, scopeOf, type Window } from "../base/time/range.ts";
import type { Entity } from "./entity-kinds.ts";

/** The query bar that "Filter for" feeds. */
interface FilterTarget {
  text: string;
  change: (text: string) => void;
}

/** What the values of a page belong to. */
export interface Scope {
  /** The list's query bar. Without one, "Filter for" opens Explore. */
  filter?: FilterTarget;
  /** The incident that a block is proposed for. */
  incident?: IncidentDetail;
  /** The window that a pivot carries, as a scope that can be removed on the page it leads to. */
  window?: Window;
}

const EMPTY: Scope = {};
export const EntityScope = createContext<Scope>(EMPTY);

export function useScope(): Scope {
  return useContext(EntityScope);
}

/** The window of the pivot that led to this page: what leads on from here keeps it. */
export function usePivotWindow(): Window | undefined {
  const { scope }: RangeSearch = useSearch({ strict: false });
  return useMemo(() => scopeOf({ scope }) ?? undefined, [scope]);
}

/** The scope of a list with a query bar, to be provided by `EntityScope`. */
export function useFilterScope({ text, change }: FilterTarget): Scope {
  const window = usePivotWindow();
  return useMemo(() => ({ filter: { text, change }, window }), [text, change, window]);
}

/** Opens the menu of a value at its chip. */
export interface MenuRequest {
  entity: Entity;
  scope: Scope;
  anchor: HTMLElement;
}

export type ShowMenu = (entity: Entity, scope: Scope, anchor: HTMLElement) => void;
/** Opens the common menu of all chips; null above it. */
export const EntityMenuContext = createContext<ShowMenu | null>(null);
