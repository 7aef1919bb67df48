/// <reference lib="dom" />
import { useContext, useMemo, useState } from "react";
import type { RecordKind } from "../../../contract/record/kinds.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { kindOfField } from "../entity-kinds.ts";
import { EntityMenuContext, useScope } from "../entity-scope.ts";
import { plural } from "../../ui/format.ts";
import { Icon } from "../../ui/icons.tsx";
import { Foreign } from "../../ui/foreign.tsx";
import { fieldOfPath } from "./record-fields.ts";
import { decoded, pathText, type RecordLine, recordLines } from "./record-lines.ts";
import { visibleText } from "../../ui/json-text.ts";

const FIRST_LINES = 300;

interface RecordViewerProps {
  /** The exact JSON text. */
  json: string;
  /** The kind of record, if its members are fields of the search language. */
  kind?: RecordKind;
}

/** A record as a tree of pivots, or as sent. Nothing is parsed or rounded. */
export function RecordViewer({ json, kind }: RecordViewerProps) {
  const [formatted, setFormatted] = useState(true);
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
      {formatted ? <Tree json={json} kind={kind} /> : (
        <pre
          className="json-text"
          tabIndex={0}
          role="region"
          aria-label="Payload"
        ><Foreign text={json} /></pre>
      )}
    </div>
  );
}

function Tree({ json, kind }: RecordViewerProps) {
  const lines = useMemo(() => recordLines(json), [json]);
  const [all, setAll] = useState(false);
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const shown: number[] = [];
  for (let at = 0; at < lines.length; at++) {
    shown.push(at);
    const { closes } = lines[at]!;
    if (folded.has(at) && closes !== null) at = closes - 1;
  }
  const visible = all ? shown : shown.slice(0, FIRST_LINES);
  const fold = (at: number) => {
    const next = new Set(folded);
    if (!next.delete(at)) next.add(at);
    setFolded(next);
  };
  return (
    <>
      <pre className="json-text json-tree" tabIndex={0} role="region" aria-label="Payload">
        {visible.map((at) => (
          <Line key={at} line={lines[at]!} kind={kind} folded={folded.has(at)} fold={() => fold(at)} />
        ))}
      </pre>
      {visible.length < shown.length && (
        <button
          type="button"
          className="button button-small"
          onClick={() => setAll(true)}
        >
          Show all {plural(shown.length, "line")}
        </button>
      )}
    </>
  );
}

interface LineProps {
  line: RecordLine;
  kind: RecordKind | undefined;
  folded: boolean;
  fold: () => void;
}

function Line({ line: { tokens, depth, path, closes }, kind, folded, fold }: LineProps) {
  const name = pathText(path);
  return (
    <span className="json-line">
      {"  ".repeat(depth)}
      {closes !== null && depth > 0 && (
        <button
          type="button"
          className="json-fold"
          aria-expanded={!folded}
          aria-label={`${folded ? "Show" : "Hide"} ${name}`}
          onClick={fold}
        >
          <Icon name="chevron" className="turn" />
        </button>
      )}
      {tokens.map(({ kind: token, text }, at) => {
        const isValue = token === "string" || token === "number" || token === "word";
        return isValue
          ? <Pivot key={at} token={text} style={token} kind={kind} path={path} />
          : (
            <span key={at} className={`json-${token}`}>
              <Foreign text={text === ":" ? ": " : text} />
            </span>
          );
      })}
      {"\n"}
    </span>
  );
}

interface PivotProps {
  token: string;
  style: string;
  kind: RecordKind | undefined;
  path: RecordLine["path"];
}

/** A value whose menu filters for it and copies it or its path. */
function Pivot({ token, style, kind, path }: PivotProps) {
  const show = useContext(EntityMenuContext);
  const scope = useScope();
  const field = kind === undefined ? undefined : fieldOfPath(kind, path);
  const value = decoded(token);
  const name = pathText(path);
  const className = `json-${style}`;
  if (show === null || value === "") {
    return (
      <span className={className}>
        <Foreign text={token} />
      </span>
    );
  }
  return (
    <button
      type="button"
      className={field === undefined ? `json-pivot ${className}` : `json-pivot json-field ${className}`}
      aria-haspopup="menu"
      title={visibleText(field === undefined ? name : `${name}: search field ${field}`)}
      onClick={(event) =>
        show(
          { kind: field === undefined ? "value" : kindOfField(field), value, field, path: name },
          scope,
          event.currentTarget,
        )}
    >
      <Foreign text={token} />
    </button>
  );
}
