/// <reference lib="dom" />
// Keeps the map's positions in the browser, per tenant, so that a reload shows the same map.
import type { Point, Positions } from "./layout.ts";

/** Bounds what the browser keeps per tenant; the newest stay. */
const MOST = 1500;

interface StoredPositions {
  /** Nodes that a person dragged. */
  moved: Positions;
  /** Nodes as the layout placed them. */
  placed: Positions;
}

const keyOf = (tenant: string) => `ndr.map.${tenant}`;

function read(entries: unknown): Positions {
  const positions: Positions = new Map();
  if (!Array.isArray(entries)) return positions;
  for (const entry of entries.slice(-MOST)) {
    if (!Array.isArray(entry)) continue;
    const [id, x, y] = entry as unknown[];
    if (typeof id === "string" && Number.isFinite(x) && Number.isFinite(y)) {
      positions.set(id, { x: Number(x), y: Number(y) });
    }
  }
  return positions;
}

/** Unreadable text counts as empty. */
export function parsePositions(text: string | null): StoredPositions {
  try {
    const stored = JSON.parse(text ?? "{}") as { moved?: unknown; placed?: unknown };
    return { moved: read(stored?.moved), placed: read(stored?.placed) };
  } catch {
    return { moved: new Map(), placed: new Map() };
  }
}

export function printPositions({ moved, placed }: StoredPositions): string {
  const rows = (positions: Positions) =>
    [...positions].slice(-MOST).map(([id, { x, y }]: [string, Point]) => [id, Math.round(x), Math.round(y)]);
  return JSON.stringify({ moved: rows(moved), placed: rows(placed) });
}

export function loadPositions(tenant: string): StoredPositions {
  try {
    return parsePositions(localStorage.getItem(keyOf(tenant)));
  } catch {
    return parsePositions(null);
  }
}

export function savePositions(tenant: string, positions: StoredPositions): void {
  try {
    localStorage.setItem(keyOf(tenant), printPositions(positions));
  } catch {
    // Without storage the positions last until the page is left.
  }
}
