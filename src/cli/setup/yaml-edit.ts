// Changes of YAML files that leave comments, order and layout to the administrator.

import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from "@std/yaml";

/** The text with one more entry, in flow form, at the end of the list under `key`. */
export function withEntry(text: string, key: string, entry: Record<string, unknown>): string {
  const document = parseDocument(text);
  const list = document.get(key, true);
  if (!isSeq(list) || list.flow || list.items.length === 0) {
    return edited(document, () => {
      if (isSeq(list)) list.add(flowNode(document, entry));
      else document.set(key, document.createNode([flowNode(document, entry)]));
    });
  }
  const first = lineStart(text, rangeOf(list.items[0]).start);
  const indent = /^\s*/.exec(text.slice(first))![0];
  const end = lineEnd(text, rangeOf(list.items.at(-1)).end);
  return `${withNewline(text.slice(0, end))}${indent}- ${flowText(entry)}\n${text.slice(end)}`;
}

/** The text with the list of texts `key` set in the entry of `listKey` whose `idKey` is `id`; null without that entry. */
export function withList(
  text: string,
  { listKey, idKey, id, key }: { listKey: string; idKey: string; id: string; key: string },
  values: readonly string[],
): string | null {
  const document = parseDocument(text);
  const list = document.get(listKey, true);
  if (!isSeq(list)) return null;
  const entry = list.items.find((item) => isMap(item) && item.get(idKey) === id) as YAMLMap | undefined;
  if (entry === undefined) return null;
  const line = `${key}: ${flowList(values)}`;
  const value = entry.get(key, true);
  if (isSeq(value) && value.flow && value.anchor === undefined) {
    const { start, end } = rangeOf(value);
    return `${text.slice(0, start)}${flowList(values)}${text.slice(end)}`;
  }
  if (value !== undefined || entry.flow) {
    return edited(document, () => {
      const node = document.createNode([...values]) as YAMLSeq;
      node.flow = true;
      entry.set(key, node);
    });
  }
  // The entry's own line for it, if it is commented out; else below the identifier.
  const { start } = rangeOf(entry);
  const next = list.items[list.items.indexOf(entry) + 1];
  const end = next === undefined ? text.length : rangeOf(next).start;
  const indent = " ".repeat(start - lineStart(text, start));
  const commented = new RegExp(`^[ ]*#[ ]*${key}:.*$`, "m").exec(text.slice(start, end));
  if (commented !== null) {
    const at = start + commented.index;
    return `${text.slice(0, at)}${indent}${line}${text.slice(at + commented[0].length)}`;
  }
  const at = lineEnd(text, rangeOf(entry.get(idKey, true)).end);
  return `${withNewline(text.slice(0, at))}${indent}${line}\n${text.slice(at)}`;
}

/** The text without the member `key` of the entry of `listKey` whose `idKey` is `id`. */
export function withoutMember(
  text: string,
  { listKey, idKey, id, key }: { listKey: string; idKey: string; id: string; key: string },
): string {
  const document = parseDocument(text);
  const list = document.get(listKey, true);
  const entry = isSeq(list) ? list.items.find((item) => isMap(item) && item.get(idKey) === id) : undefined;
  if (!isMap(entry)) return text;
  const member = entry.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
  if (member === undefined) return text;
  const { start } = rangeOf(member.key);
  const line = lineStart(text, start);
  // A member with a line of its own.
  if (!entry.flow && text.slice(line, start).trim() === "") {
    return text.slice(0, line) + text.slice(lineEnd(text, rangeOf(member.value ?? member.key).end));
  }
  return edited(document, () => entry.delete(key));
}

function edited(document: Document, change: () => void): string {
  change();
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

function flowNode(document: Document, entry: Record<string, unknown>): Node {
  const node = document.createNode(entry);
  (node as YAMLMap).flow = true;
  return node;
}

function flowText(entry: Record<string, unknown>): string {
  const members = Object.entries(entry).map(([key, value]) =>
    `${key}: ${Array.isArray(value) ? flowList(value) : scalar(String(value))}`
  );
  return `{ ${members.join(", ")} }`;
}

function flowList(values: readonly string[]): string {
  return `[${values.map(scalar).join(", ")}]`;
}

/** Quoted unless it can be nothing but a text. */
function scalar(value: string): string {
  return /^[A-Za-z][A-Za-z0-9_.\/-]*$/.test(value) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(value) ||
      /^\d+\.\d+\.\d+\.\d+\/\d+$/.test(value)
    ? value
    : JSON.stringify(value);
}

function rangeOf(node: unknown): { start: number; end: number } {
  const { range } = node as Node;
  if (!range) throw new TypeError("a parsed node has a range");
  return { start: range[0], end: range[1] };
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** Behind the line break of the line that the character before `at` is in. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", Math.max(0, at - 1));
  return end === -1 ? text.length : end + 1;
}

function withNewline(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
