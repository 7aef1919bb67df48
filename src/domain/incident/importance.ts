// How much a device's owner and tags raise the score of incidents about it.

/**
 * Share of the evidence's points that a tag adds. Tags are compared in lower case, with `-` for spaces and
 * `_`. A share, so that weak evidence about an important device stays weak.
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
/** An owned device is part of the business; an unowned one may be anything. */
const OWNER_SHARE = 0.05;
/** Maximum points importance adds, however many tags there are. */
export const MAX_IMPORTANCE = 15;

export interface Importance {
  /** Share of the evidence's points to add; 0 without owner and known tags. */
  share: number;
  /** For the score history and the analyst. */
  why: string;
}

export const ORDINARY: Importance = { share: 0, why: "" };

/** The most important tag counts, otherwise whether there is an owner. */
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

/** The one that raises more. An incident keeps the most important device it was ever about. */
export function moreImportant(known: Importance, other: Importance): Importance {
  return other.share > known.share ? other : known;
}

export function importancePoints(points: number, { share }: Importance): number {
  return Math.min(MAX_IMPORTANCE, points * share);
}

function plain(tag: string): string {
  return tag.trim().toLowerCase().replace(/[\s_]+/g, "-");
}
