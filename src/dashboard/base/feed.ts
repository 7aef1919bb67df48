/// <reference lib="dom" />
// The change feed: one tab polls the summary for all tabs of the browser that show the same tenant.

import { useEffect } from "react";
import { type Query, type QueryClient, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Summary } from "../../contract/summary.ts";
import { callIfChanged, type Changed } from "./api.ts";
import { isLive, useLive } from "./live.ts";
import { useSignedIn } from "./session.ts";

const POLL_MILLISECONDS = 5000;
const NAME = "ndr.feed";

/** What a query depends on: it is read again when the mark of the summary changes. */
export type Mark = "incident" | "device" | "flow" | "decision";
const MARKS: readonly Mark[] = ["incident", "device", "flow", "decision"];

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: { marks?: readonly Mark[] };
  }
}

interface Message {
  tenant: string;
  /** Null: a tab that has just opened asks for the present one. */
  summary: Summary | null;
}

const keyOf = (tenant: string) => [tenant, "summary"];

/** The newest summary; null before the first answer. */
export function useSummary(): Summary | null {
  const { tenant } = useSignedIn();
  const { data } = useQuery<Summary>({ queryKey: keyOf(tenant), queryFn: skipToken, staleTime: Infinity });
  return data ?? null;
}

/** The marks that differ. */
function changedMarks(before: Summary | undefined, after: Summary): Mark[] {
  if (before === undefined) return [];
  return MARKS.filter((mark) => before[`${mark}_mark`] !== after[`${mark}_mark`]);
}

/** Reading many pages again would cost more than it shows, and move the rows. */
function isLong({ state: { data } }: Query): boolean {
  const pages = (data as { pages?: unknown } | undefined)?.pages;
  return Array.isArray(pages) && pages.length > 1;
}

function apply(client: QueryClient, tenant: string, summary: Summary): void {
  const changed = changedMarks(client.getQueryData<Summary>(keyOf(tenant)), summary);
  client.setQueryData(keyOf(tenant), summary);
  if (changed.length === 0) return;
  void client.invalidateQueries({
    predicate: (query) =>
      query.queryKey[0] === tenant && !isLong(query) &&
      (query.meta?.marks?.some((mark) => changed.includes(mark)) ?? false),
  });
}

/** Polls until `signal` aborts; a failed poll is repeated by the next one. */
async function poll(
  client: QueryClient,
  tenant: string,
  channel: BroadcastChannel,
  signal: AbortSignal,
): Promise<void> {
  let etag: string | null = null;
  while (!signal.aborted) {
    try {
      const answer: Changed<Summary> | null = await callIfChanged("getSummary", etag, { signal });
      if (answer !== null && !signal.aborted) {
        etag = answer.etag;
        apply(client, tenant, answer.data);
        channel.postMessage({ tenant, summary: answer.data } satisfies Message);
      }
    } catch {
      // The pages report failures of their own requests.
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MILLISECONDS);
      signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
    });
  }
}

/** Keeps the summary current while the tab is visible and live; once, in the shell. */
export function useFeed(): void {
  const { tenant } = useSignedIn();
  const client = useQueryClient();
  const live = useLive();
  useEffect(() => {
    const channel = new BroadcastChannel(NAME);
    let turn: AbortController | null = null;
    channel.onmessage = ({ data: message }: MessageEvent<Message>) => {
      if (message.tenant !== tenant) return;
      const known = client.getQueryData<Summary>(keyOf(tenant));
      if (message.summary !== null) {
        if (isLive()) apply(client, tenant, message.summary);
      } else if (turn !== null && known !== undefined) {
        channel.postMessage({ tenant, summary: known } satisfies Message);
      }
    };
    channel.postMessage({ tenant, summary: null } satisfies Message);
    const begin = () => {
      turn = new AbortController();
      const { signal } = turn;
      const work = () => poll(client, tenant, channel, signal);
      // Web Locks need a secure context; without one each visible tab polls.
      if (navigator.locks === undefined) void work();
      // A tab that waits in vain gives up when it is hidden.
      else navigator.locks.request(`${NAME}.${tenant}`, { signal }, work).catch(() => {});
    };
    const follow = () => {
      const wanted = live && document.visibilityState === "visible";
      if (wanted && turn === null) begin();
      if (!wanted) {
        turn?.abort();
        turn = null;
      }
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      turn?.abort();
      channel.close();
    };
  }, [tenant, client, live]);
}
