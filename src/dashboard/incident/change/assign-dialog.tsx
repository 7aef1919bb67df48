/// <reference lib="dom" />
import { useState } from "react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { IncidentDetail } from "../../../contract/incident/incident.ts";
import { peopleQuery, usePersonName } from "../../base/people.ts";
import { incidentDetail } from "../../base/incidents.ts";
import { useSignedIn } from "../../base/session.ts";
import { ConflictDiff } from "../../ui/conflict/conflict-diff.tsx";
import { LastChange } from "../../entity/last-change.tsx";
import { plural } from "../../ui/format.ts";
import { Icon } from "../../ui/icons.tsx";
import { Foreign } from "../../ui/foreign.tsx";
import { type Change, isConflict, makeChanges, type Outcome, type Seen } from "./changes.ts";
import { conflictFields } from "./conflict-fields.ts";
import { FailureList } from "./failure-list.tsx";

interface AssignDialogProps {
  targets: readonly Seen[];
  done: (outcome: Outcome, change: Change) => void;
  cancel: () => void;
}

/** Assigns incidents to the reader or another person, or removes the assignment. Focuses the first choice. */
export function AssignDialog({ targets, done, cancel }: AssignDialogProps) {
  const { tenant, session } = useSignedIn();
  const client = useQueryClient();
  const { data, error } = useQuery(peopleQuery(tenant));
  const [wanted, setWanted] = useState("");
  const [left, setLeft] = useState(targets);
  const [conflict, setConflict] = useState<{ theirs: IncidentDetail; assignee: string | null } | null>(null);
  const nameOf = usePersonName();
  const assign = useMutation({
    mutationFn: async ({ assignee, seen }: { assignee: string | null; seen: readonly Seen[] }) => {
      const outcome = await makeChanges(seen, { kind: "assignee", assignee }, session.csrf_token);
      const [only] = outcome.failed;
      if (targets.length === 1 && only && isConflict(only.error)) {
        const theirs = await client.fetchQuery({ ...incidentDetail(tenant, only.seen.id), staleTime: 0 });
        setConflict({ theirs, assignee });
      } else setConflict(null);
      return outcome;
    },
    onSuccess: (outcome, { assignee }) => {
      if (outcome.done.length > 0) void client.invalidateQueries({ queryKey: [tenant] });
      if (outcome.failed.length === 0) return done(outcome, { kind: "assignee", assignee });
      setLeft(outcome.failed.map(({ seen }) => seen));
    },
  });
  const choose = (assignee: string | null) => assign.mutate({ assignee, seen: left });
  const others = [...data?.values() ?? []]
    .filter(({ subject, name }) =>
      subject !== session.subject && name.toLowerCase().includes(wanted.trim().toLowerCase())
    )
    .toSorted((a, b) => a.name.localeCompare(b.name, "en"));
  if (conflict !== null) {
    const { theirs, assignee } = conflict;
    return (
      <ConflictDiff
        what="This incident"
        fields={conflictFields(targets[0]!, theirs, { kind: "assignee", assignee }, nameOf)}
        by={
          <LastChange
            stored={theirs}
            base={targets[0]!}
            nameOf={nameOf}
            otherwise="The analysis found more evidence."
          />
        }
        fault={assign.error && `Not saved: ${assign.error.message}`}
        saving={assign.isPending}
        apply={() => assign.mutate({ assignee, seen: [theirs] })}
        discard={cancel}
      />
    );
  }
  const assigned = targets.some(({ assignee }) => assignee !== null);
  return (
    <div className="form">
      {targets.length === 1
        ? <Foreign text={targets[0]!.title} className="soft wrap" />
        : <p className="soft">{plural(left.length, "incident")}</p>}
      <fieldset className="assign-choices" disabled={assign.isPending}>
        <legend className="hidden">Assignee</legend>
        <button
          type="button"
          className="button button-primary"
          data-autofocus
          onClick={() => choose(session.subject)}
        >
          Me (<Foreign text={session.display_name} />)
        </button>
        {assigned && <button type="button" className="button" onClick={() => choose(null)}>Unassign</button>}
        {(data?.size ?? 0) > 8 && (
          <label className="field">
            <span>Find a person</span>
            <input
              type="search"
              value={wanted}
              autoComplete="off"
              onChange={(event) => setWanted(event.target.value)}
            />
          </label>
        )}
        <ul className="assign-people">
          {others.map(({ subject, name }) => (
            <li key={subject}>
              <button type="button" className="button" onClick={() => choose(subject)}>
                <Foreign text={name} />
              </button>
            </li>
          ))}
        </ul>
        {error && <p className="muted small">The directory of people could not be loaded.</p>}
      </fieldset>
      {assign.data && assign.data.failed.length > 0 && <FailureList failed={assign.data.failed} />}
      {assign.error && (
        <p className="notice notice-error" role="alert">
          <Icon name="warning" />
          <span>Not saved: {assign.error.message}</span>
        </p>
      )}
    </div>
  );
}
