/** The order in which triage was last seen, so that "next" on an incident's page follows the same queue. */
export interface Queue {
  tenant: string;
  /** Words for the view: `All open`. */
  label: string;
  ids: readonly string[];
}

let latest: Queue | null = null;

/** Kept until the page is reloaded. The order stays when a resolved incident leaves the list. */
export function rememberQueue(queue: Queue): void {
  latest = queue;
}

export function rememberedQueue(tenant: string): Queue | null {
  return latest?.tenant === tenant ? latest : null;
}

export interface Neighbours {
  previous: string | null;
  next: string | null;
  /** From 1; null if the incident is not in the queue. */
  position: number | null;
  length: number;
}

/** The neighbours of an incident; for one that is not in the queue, "next" is the first of it. */
export function neighboursOf(ids: readonly string[], id: string): Neighbours {
  const at = ids.indexOf(id);
  return {
    previous: at > 0 ? ids[at - 1]! : null,
    next: ids[at + 1] ?? null,
    position: at < 0 ? null : at + 1,
    length: ids.length,
  };
}
