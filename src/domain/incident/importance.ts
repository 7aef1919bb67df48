// How much worse it is when something happens to this device: what people say of it, by owner and tags.

/**
 * Share of the evidence's points that a tag adds. Tags are compared in lower case, with `-` for spaces and `_`. Weak
 * evidence about an important device stays weak: that is why it is a share.
 */
const TAG_SHARES: ReadonlyMap<string, number> = new Map([
  ["crown-jewel", 0.25],
  ["critical", 0.25],
  ["domain-controller", 0.25],
  ["production", 0.15],
  ["privileged", 0.15],
  ["vip", 0.15],
  ["server", 0.1],
]);
/** A device that somebody answers for is part of the work; one that nobody knows may be anything. */
const OWNER_SHARE = 0.05;
/** Most points that importance adds, however many tags there are. */
export const MAX_IMPORTANCE = 15;

export interface Importance {
  /** Share of the evidence's points to be added; 0 where nobody said anything. */
  share: number;
  /** In words. */
  why: string;
}

export const ORDINARY: Importance = { share: 0, why: "" };

/** The most important tag counts, or else that there is an owner. */
export function importanceOf(
  deviceName: string,
  { owner, tags }: { owner: string | null; tags: readonly string[] },
): Importance {
  let best = ORDINARY;
  if (owner !== null && owner.trim() !== "") {
    best = { share: OWNER_SHARE, why: `${deviceName} has an owner` };
  }
  for (const tag of tags.map(plain).sort()) {
    const share = TAG_SHARES.get(tag) ?? 0;
    if (share > best.share) best = { share, why: `${deviceName} is tagged ${tag}` };
  }
  return best;
}

/** The one that raises more. An incident keeps the most important device that it was ever about. */
export function moreImportant(known: Importance, other: Importance): Importance {
  return other.share > known.share ? other : known;
}

export function importancePoints(points: number, { share }: Importance): number {
  return Math.min(MAX_IMPORTANCE, points * share);
}

function plain(tag: string): string {
  return tag.trim().toLowerCase().replace(/[\s_]+/g, "-");
}
