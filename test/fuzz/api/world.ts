import type { Random } from "./random.ts";

interface Known {
  id: string;
  revision: number | null;
}

/** Maximum number of each, newest first. */
const MAX_KNOWN = 60;

/** What responses have revealed so far: existing objects and page cursors. */
export class World {
  readonly #objects = new Map<string, Map<string, Known>>();
  readonly #cursors = new Map<string, string[]>();

  /** Records the identifiers (`…_id` and the `id` of an incident) of a response. */
  learn(operationId: string, body: unknown): void {
    this.#collect(body, null);
    const cursor = (body as { next_cursor?: unknown } | null)?.next_cursor;
    if (typeof cursor === "string") {
      const same = this.#cursors.get(operationId) ?? [];
      this.#cursors.set(operationId, [...same.slice(1 - MAX_KNOWN), cursor]);
    }
  }

  /** A known object for an identifier name such as `device_id`. */
  known(random: Random, name: string): Known | null {
    const found = [...this.#objects.get(name)?.values() ?? []];
    return found.length === 0 ? null : random.pick(found);
  }

  /** A cursor of this list, or sometimes of another one. */
  cursor(random: Random, operationId: string): string | null {
    const own = random.chance(0.8)
      ? this.#cursors.get(operationId) ?? []
      : [...this.#cursors.values()].flat();
    return own.length === 0 ? null : random.pick(own);
  }

  #collect(value: unknown, name: string | null): void {
    if (Array.isArray(value)) {
      const singular = name?.endsWith("_ids") ? name.slice(0, -1) : name;
      for (const item of value.slice(0, 20)) {
        if (typeof item === "string" && singular?.endsWith("_id")) this.#note(singular, item, null);
        else this.#collect(item, null);
      }
      return;
    }
    if (typeof value !== "object" || value === null) return;
    const object = value as Record<string, unknown>;
    const revision = typeof object.revision === "number" ? object.revision : null;
    // The first identifier of a resource is its own; the revision belongs to that one only.
    let own = revision;
    for (const [key, member] of Object.entries(object)) {
      const identifier = key === "id" && "severity" in object ? "incident_id" : key;
      if (typeof member === "string" && identifier.endsWith("_id")) {
        this.#note(identifier, member, own);
        own = null;
      } else this.#collect(member, key);
    }
  }

  #note(name: string, id: string, revision: number | null): void {
    const same = this.#objects.get(name) ?? new Map<string, Known>();
    this.#objects.set(name, same);
    const before = same.get(id);
    same.delete(id);
    same.set(id, { id, revision: revision ?? before?.revision ?? null });
    if (same.size > MAX_KNOWN) same.delete(same.keys().next().value!);
  }
}
