/// <reference lib="dom" />
import { type ReactNode, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { parseText } from "../../contract/filter/parser.ts";
import { type Comparison, type Condition, isNot, type ResultKind } from "../../contract/filter/tree.ts";
import { Icon } from "../ui/icons.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { useDeviceName } from "../base/devices.ts";
import { to } from "../base/links.ts";
import { useSignedIn } from "../base/session.ts";
import { incidentDetail } from "../base/incidents.ts";
import { FilterInput } from "./filter-input.tsx";
import { negatePart, removePart, replacePart, type ShownPart, shownParts } from "../base/filter-text.ts";
import type { QueryTarget } from "./query-target.ts";
import { filterProblems } from "./question.ts";
import { visibleText } from "../ui/json-text.ts";

interface ConditionsProps {
  kind: ResultKind;
  target?: QueryTarget;
  text: string;
  change: (text: string) => void;
}

/** The conditions of a filter in words; each can be edited, excluded and removed. */
export function Conditions({ kind, target, text, change }: ConditionsProps): ReactNode {
  const [edited, setEdited] = useState<number | null>(null);
  const parts = shownParts(text);
  if (parts.length === 0) return null;
  return (
    <ul className="conditions" aria-label="Conditions">
      {parts.map((part, index) => (
        <li key={`${index} ${part.text}`} className={part.negated ? "condition condition-not" : "condition"}>
          {edited === index
            ? (
              <Editor
                kind={kind}
                target={target}
                text={part.text}
                close={() => setEdited(null)}
                apply={(by) => {
                  setEdited(null);
                  change(replacePart(text, index, by));
                }}
              />
            )
            : (
              <Shown
                part={part}
                edit={() => setEdited(index)}
                negate={() =>
                  change(negatePart(text, index))}
                remove={() =>
                  change(removePart(text, index))}
              />
            )}
        </li>
      ))}
    </ul>
  );
}

interface ShownProps {
  part: ShownPart;
  edit: () => void;
  negate: () => void;
  remove: () => void;
}

function Shown({ part, edit, negate, remove }: ShownProps) {
  const label = useLabel(part);
  const incident = idOf(part.part, "incident");
  return (
    <>
      <button
        type="button"
        className="condition-label"
        title={visibleText(`${part.text} (edit)`)}
        aria-label={visibleText(`Edit condition: ${label}`)}
        onClick={edit}
      >
        <Foreign text={label} className="clip" />
      </button>
      {incident !== null && (
        <Link
          {...to.incident(incident)}
          className="chip-clear"
          aria-label={visibleText(`Open: ${label}`)}
          title="Open the incident"
        >
          <Icon name="incidents" />
        </Link>
      )}
      {!part.isTime && (
        <button
          type="button"
          className="chip-clear"
          aria-pressed={part.negated}
          aria-label={visibleText(`Exclude: ${label}`)}
          title={part.negated ? "Include instead" : "Exclude instead"}
          onClick={negate}
        >
          <Icon name="suppress" />
        </button>
      )}
      <button
        type="button"
        className="chip-clear"
        aria-label={visibleText(`Remove condition: ${label}`)}
        title="Remove"
        onClick={remove}
      >
        <Icon name="close" />
      </button>
    </>
  );
}

/** As the grammar describes it; a device by its name, an incident by its title. */
function useLabel({ part, label }: ShownPart): string {
  const nameOf = useDeviceName();
  const [device, incident] = [idOf(part, "device.id"), idOf(part, "incident")];
  const title = useTitle(incident);
  if (device === null && title === null) return label;
  const name = device === null ? `incident “${title}”` : `device ${nameOf(device)}`;
  return isNot(part) ? `not ${name}` : name;
}

/** The title of an incident; null until it is known. */
function useTitle(incident: string | null): string | null {
  const { tenant } = useSignedIn();
  const { data } = useQuery({ ...incidentDetail(tenant, incident ?? ""), enabled: incident !== null });
  return data?.title ?? null;
}

/** The identifier that a condition compares a field with. */
function idOf(part: Condition, field: Comparison["field"]): string | null {
  const inner = isNot(part) ? part.not : part;
  return "field" in inner && inner.field === field && typeof inner.value === "string" ? inner.value : null;
}

interface EditorProps {
  kind: ResultKind;
  target?: QueryTarget;
  text: string;
  close: () => void;
  apply: (by: Condition[]) => void;
}

function Editor({ kind, target, text, close, apply }: EditorProps) {
  const [draft, setDraft] = useState(text);
  const [tried, setTried] = useState(false);
  const [fault] = tried ? filterProblems(draft, target) : [];
  const submit = (value: string) => {
    const parsed = parseText(value);
    if (!parsed.ok || filterProblems(value, target).length > 0) setTried(true);
    else apply(parsed.condition === null ? [] : [parsed.condition]);
  };
  return (
    <div
      className="condition-editor"
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && close()}
    >
      <FilterInput
        kind={kind}
        fields={target?.fields}
        label="Condition"
        value={draft}
        setValue={setDraft}
        submit={submit}
        cancel={close}
        marks={fault?.marks}
        invalid={fault !== undefined}
        describedBy={fault && "condition-fault"}
        autoFocus
      />
      {fault && <p id="condition-fault" className="field-error" role="alert">{fault.message}</p>}
      <button type="button" className="button button-small" onClick={() => submit(draft)}>Apply</button>
    </div>
  );
}
