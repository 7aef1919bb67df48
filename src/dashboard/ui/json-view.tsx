/// <reference lib="dom" />
import { useMemo, useState } from "react";
import { plural } from "./format.ts";
import { formatJson } from "./json-text.ts";
import { CopyButton } from "./copy-button.tsx";
import { Foreign } from "./names.tsx";

const FIRST_LINES = 300;

/** The exact JSON text of a record: formatted, or as sent. Nothing is parsed or rounded. */
export function JsonView({ json }: { json: string }) {
  const [formatted, setFormatted] = useState(true);
  const [all, setAll] = useState(false);
  const lines = useMemo(() => formatJson(json), [json]);
  const shown = all ? lines : lines.slice(0, FIRST_LINES);
  return (
    <div className="json">
      <div className="json-tools">
        <div className="segments" role="group" aria-label="Layout of the payload">
          {[true, false].map((value) => (
            <button
              type="button"
              key={String(value)}
              className="segment"
              aria-pressed={formatted === value}
              onClick={() => setFormatted(value)}
            >
              {value ? "Formatted" : "As sent"}
            </button>
          ))}
        </div>
        <CopyButton text={json} label="Copy payload" />
      </div>
      <pre className="json-text" tabIndex={0} role="region" aria-label="Payload">
        {formatted
          ? shown.map((line, index) => (
            <span className="json-line" key={index}>
              {"  ".repeat(line.depth)}
              {line.tokens.map(({ kind, text }, at) => (
                <span key={at} className={`json-${kind}`}>
                  <Foreign text={text === ":" ? ": " : text} />
                </span>
              ))}
              {"\n"}
            </span>
          ))
          : <Foreign text={json} />}
      </pre>
      {formatted && shown.length < lines.length && (
        <button
          type="button"
          className="button button-small"
          onClick={() => setAll(true)}
        >
          Show all {plural(lines.length, "line")}
        </button>
      )}
    </div>
  );
}
