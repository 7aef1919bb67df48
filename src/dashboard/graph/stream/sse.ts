// The wire format of server-sent events (WHATWG HTML, 9.2.6), as far as the graph stream uses it.

export interface ServerEvent {
  event: string;
  data: string;
  id: string | null;
}

/** An event may hold a large delta, but not an unbounded one. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** Splits the text of a stream into events; a chunk may end anywhere. */
export function eventParser(): (chunk: string) => ServerEvent[] {
  let rest = "";
  let [event, data, id]: [string, string[], string | null] = ["", [], null];
  let size = 0;
  return (chunk) => {
    const events: ServerEvent[] = [];
    rest += chunk;
    // A carriage return at the end may be the first half of CRLF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      size += line.length;
      if (line === "") {
        if (data.length > 0) events.push({ event: event || "message", data: data.join("\n"), id });
        [event, data, size] = ["", [], 0];
        continue;
      }
      const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === "event") event = value;
      else if (name === "data") data.push(value);
      else if (name === "id" && !value.includes("\0")) id = value;
    }
    if (size + rest.length > MOST_CHARACTERS) throw new Error("An event of the stream is too large.");
    return events;
  };
}
