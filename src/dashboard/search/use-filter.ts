import { useCallback, useEffect, useState } from "react";
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import type { ResultKind } from "../../contract/filter/tree.ts";
import { printTop, readTop, type Top } from "../base/filter-text.ts";
import type { QueryTarget } from "./query-target.ts";
import { to } from "../base/links.ts";
import { useSignedIn } from "../base/session.ts";
import type { FilterSearch } from "./filter-search.ts";
import { useZone } from "../base/time/zone.ts";

/** What a question was understood as, shown with its answer. It belongs to the step of the browser's history. */
export interface Asked {
  question: string;
  /** What was assumed. */
  notes: string[];
}

/** A filter that a model proposed: it stands in the bar and is not run before a person presses Enter. */
export interface Proposed {
  text: string;
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    asked?: Asked;
    proposed?: Proposed;
  }
}

const KIND_PAGES = { flows: to.explore, devices: to.devices, incidents: to.triage } as const;
const PATHS = { flows: "/explore", devices: "/devices", incidents: "/triage" } as const;

/** The address's parameters of a list with a query bar. */
interface Next {
  /** The page to show it on. Default: the current one. */
  kind?: ResultKind;
  top?: string;
  asked?: Asked;
  /** How a list of flows shows the answer to a question: the columns of facts, and the order. */
  shown?: { view?: string; sort?: string };
}

/** The filter of a list, kept in the address. */
export interface ListFilter {
  kind: ResultKind;
  /** What it filters, if it is no list. */
  target?: QueryTarget;
  text: string;
  top: Top | null;
  asked: Asked | null;
  proposed: Proposed | null;
  /** Whether the text that was entered last could not be applied, so the list would answer another one. */
  refused: boolean;
  refuse: (refused: boolean) => void;
  /** Starts another search. */
  search: (text: string, next?: Next) => void;
  /** Changes the filter; a ranking stays. */
  change: (text: string) => void;
  /** Ranks other values of what the filter finds; null: none. */
  rank: (top: Top | null) => void;
  /** Puts a filter into the bar without running it. */
  propose: (text: string, kind: ResultKind) => void;
}

/** @param target The page, if it is no list; it stays when flows are searched. */
export function useFilter(kind: ResultKind, target?: QueryTarget): ListFilter {
  const { filter = "", top }: FilterSearch = useSearch({ strict: false });
  const { pathname, state } = useLocation();
  const { tenant } = useSignedIn();
  const navigate = useNavigate();
  // Times in a filter are meant in the shown zone: a list asks again when it changes.
  useZone();
  const [refused, refuse] = useState(false);
  const asked = state.asked ?? null;
  const proposed = state.proposed ?? null;
  useEffect(() => refuse(false), [filter, asked]);
  const go = useCallback((text: string, { kind: other = kind, top, asked, shown }: Next = {}) => {
    refuse(false);
    const found = { filter: text === "" ? undefined : text, top, ...shown };
    const isHere = target === undefined
      ? pathname === `/t/${encodeURIComponent(tenant)}${PATHS[other]}`
      : other === kind && top === undefined;
    // Parameters of a page, such as the view of suppressed incidents, mean nothing on another one.
    if (isHere) {
      void navigate({ to: ".", search: (old) => ({ ...old, ...found }), state: asked && { asked } });
    } else void navigate({ ...KIND_PAGES[other](found), state: asked && { asked } });
  }, [kind, target, pathname, tenant, navigate]);
  return {
    kind,
    target,
    text: filter,
    top: readTop(top),
    asked,
    proposed,
    refused,
    refuse,
    search: go,
    change: useCallback((text: string) => go(text, { top }), [go, top]),
    rank: (next) => go(filter, next === null ? {} : { top: printTop({ ...next, field: next.field ?? "" }) }),
    propose: (text: string, other: ResultKind) => {
      refuse(false);
      void navigate({ ...KIND_PAGES[other]({}), state: { proposed: { text } } });
    },
  };
}
