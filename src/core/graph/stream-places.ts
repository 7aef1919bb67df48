import type { Holder } from "../../kit/threads/shares.ts";

/** The place of an open stream. */
export interface StreamPlace {
  readonly holder: Holder;
  /** Called once when a newcomer takes the place; set when there is a stream to end. */
  lose: () => void;
  /** A newcomer has taken it. */
  lost: boolean;
}

/** A tenant or person must hold so many more than the newcomer, so that two do not take a place from each other in turn. */
const MORE = 2;

/**
 * The places of streams. When all are taken, a newcomer gets the oldest one of the person who holds the most, or if each
 * person holds few, of the tenant that does. The person must be of the newcomer's tenant or of one that holds more.
 */
export class StreamPlaces {
  /** The oldest first. */
  readonly #taken = new Set<StreamPlace>();

  constructor(readonly most: number) {}

  get taken(): number {
    return this.#taken.size;
  }

  /** Returns null if there is no place for the newcomer. */
  enter(holder: Holder): StreamPlace | null {
    if (this.#taken.size >= this.most) {
      const yielded = this.#placeFor(holder);
      if (yielded === null) return null;
      this.#taken.delete(yielded);
      yielded.lost = true;
      yielded.lose();
    }
    const place: StreamPlace = { holder, lose: () => {}, lost: false };
    this.#taken.add(place);
    return place;
  }

  leave(place: StreamPlace): void {
    this.#taken.delete(place);
  }

  #placeFor(holder: Holder): StreamPlace | null {
    const tenants = counted([...this.#taken], ({ holder: { tenant } }) => tenant);
    const people = counted([...this.#taken], personOf);
    const ofTenant = tenants.get(holder.tenant) ?? 0;
    const isLarger = ({ holder: { tenant } }: StreamPlace) => tenants.get(tenant)! >= ofTenant + MORE;
    const near = [...this.#taken].filter((place) => place.holder.tenant === holder.tenant || isLarger(place));
    const byPerson = oldestOfMost(near, (place) => people.get(personOf(place))!);
    const ofPerson = people.get(personOf({ holder })) ?? 0;
    if (byPerson !== null && people.get(personOf(byPerson))! >= ofPerson + MORE) return byPerson;
    return oldestOfMost(near.filter(isLarger), (place) => tenants.get(place.holder.tenant)!);
  }
}

function personOf({ holder: { tenant, person } }: Pick<StreamPlace, "holder">): string {
  return JSON.stringify([tenant, person]);
}

function counted(places: readonly StreamPlace[], keyOf: (place: StreamPlace) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const place of places) counts.set(keyOf(place), (counts.get(keyOf(place)) ?? 0) + 1);
  return counts;
}

function oldestOfMost(
  places: readonly StreamPlace[],
  countOf: (place: StreamPlace) => number,
): StreamPlace | null {
  let found: StreamPlace | null = null;
  for (const place of places) if (found === null || countOf(place) > countOf(found)) found = place;
  return found;
}
