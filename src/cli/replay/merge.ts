// Merges several recordings into one stream in order of time, as live sensors would have sent them.

import type { RecordCursor, ReplayRecord } from "./recording.ts";

/** Further recordings are opened only when their time comes: a year of hourly logs has thousands. */
const MAX_OPEN = 64;

export interface MergeSource {
  /** A cursor at the start of the replay. */
  open(): RecordCursor;
  /** A cursor at the same place that reports nothing, to look at the first record. */
  peek(): RecordCursor;
  /** Whether the replay starts at the file's beginning, so that looking ahead is cheap. */
  fromStart: boolean;
}

interface Head {
  source: MergeSource;
  index: number;
  order: number;
  cursor: RecordCursor | null;
  /** `null` until the cursor is open. */
  record: ReplayRecord | null;
}

/**
 * Always yields the earliest of the files' next records. Within a file the order stays: logs are only roughly
 * sorted (Zeek writes a connection at its end), and so are live ones.
 */
export async function* mergeByTime(sources: MergeSource[]): AsyncGenerator<ReplayRecord, void, void> {
  const heap: Head[] = [];
  try {
    for (const [index, source] of sources.entries()) {
      const head = await firstOf(source, index);
      if (head !== null) push(heap, head);
    }
    while (heap.length > 0) {
      const head = heap[0]!;
      if (head.cursor === null) {
        head.cursor = head.source.open();
        head.record = await head.cursor.next();
      }
      if (head.record !== null) yield head.record;
      head.record = await head.cursor.next();
      if (head.record === null) {
        await head.cursor.close();
        const last = heap.pop()!;
        if (heap.length > 0) heap[0] = last;
      } else head.order = head.record.order;
      siftDown(heap);
    }
  } finally {
    for (const head of heap) await head.cursor?.close();
  }
}

async function firstOf(source: MergeSource, index: number): Promise<Head | null> {
  if (index >= MAX_OPEN && source.fromStart) {
    const peek = source.peek();
    const record = await peek.next();
    await peek.close();
    if (record !== null) return { source, index, order: record.order, cursor: null, record: null };
    // Nothing to send: read below all the same, for its skips.
  }
  const cursor = source.open();
  const record = await cursor.next();
  if (record !== null) return { source, index, order: record.order, cursor, record };
  await cursor.close();
  return null;
}

function before(a: Head, b: Head): boolean {
  return a.order < b.order || (a.order === b.order && a.index < b.index);
}

function push(heap: Head[], head: Head): void {
  let at = heap.push(head) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!before(head, heap[parent]!)) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = head;
}

function siftDown(heap: Head[]): void {
  const head = heap[0];
  if (head === undefined) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
    if (!before(heap[child]!, head)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = head;
}
