/// <reference lib="dom" />
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { DeviceDetail, DevicePatch } from "../../contract/device/device.ts";
import { ApiFailure, call } from "../base/api.ts";
import { newKey } from "../base/idempotency.ts";
import { usePersonName } from "../base/people.ts";
import { deviceRecord } from "./device-queries.ts";
import { useSignedIn } from "../base/session.ts";
import { ConflictDiff } from "../ui/conflict/conflict-diff.tsx";
import { useDraft } from "../ui/draft.ts";
import { FormEnd } from "../ui/form-end.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { Time } from "../ui/time/time.tsx";
import { conflictFields, type Entered, enteredOf, merged, patchOf, readDraft } from "./device-entries.ts";
import { typeName } from "../entity/device/device-type.tsx";
import { TypeField, useTypes } from "../entity/device/type-field.tsx";

interface DeviceFormProps {
  device: DeviceDetail;
  done: (saved: DeviceDetail) => void;
  cancel: () => void;
}

/** Corrects what a device is; saving confirms its type. What was typed survives every failure. */
export function DeviceForm({ device, done, cancel }: DeviceFormProps) {
  const { tenant, session } = useSignedIn();
  const client = useQueryClient();
  const types = useTypes();
  // The version that the person sees; the page behind reads on.
  const [base, setBase] = useState(device);
  const [theirs, setTheirs] = useState<DeviceDetail | null>(null);
  const [draft, setDraft] = useDraft(session.subject, `device ${device.device_id}`);
  const mine = readDraft(draft) ?? enteredOf(base);
  const enter = (change: Partial<Entered>) => setDraft(JSON.stringify({ ...mine, ...change }));
  const attempt = useRef({ body: "", key: "" });

  const close = () => {
    setDraft("");
    cancel();
  };
  const save = useMutation({
    mutationFn: ({ patch, revision }: { patch: DevicePatch; revision: number }) => {
      const body = JSON.stringify([patch, revision]);
      if (attempt.current.body !== body) attempt.current = { body, key: newKey() };
      return call("patchDevice", {
        params: { device_id: device.device_id },
        body: patch,
        csrf: session.csrf_token,
        key: attempt.current.key,
        revision,
      });
    },
    onSuccess: (saved) => {
      setDraft("");
      void client.invalidateQueries({ queryKey: [tenant] });
      done(saved);
    },
    onError: async (error) => {
      if (!(error instanceof ApiFailure && error.status === 412)) return;
      setTheirs(await client.fetchQuery({ ...deviceRecord(tenant, device.device_id), staleTime: 0 }));
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ patch: patchOf(mine), revision: base.revision });
  };
  const applyOnTop = (stored: DeviceDetail) => {
    const result = merged(enteredOf(base), mine, enteredOf(stored));
    setDraft(JSON.stringify(result));
    setBase(stored);
    setTheirs(null);
    save.mutate({ patch: patchOf(result), revision: stored.revision });
  };
  const isConflict = save.error instanceof ApiFailure && save.error.status === 412;
  return (
    <form className="form" onSubmit={submit}>
      <Field label="Name">
        <input
          required
          maxLength={128}
          value={mine.display_name}
          onChange={(event) => enter({ display_name: event.target.value })}
        />
      </Field>
      <TypeField types={types} value={mine.device_type} set={(device_type) => enter({ device_type })} />
      <Field label="Owner">
        <input
          maxLength={128}
          autoComplete="off"
          value={mine.owner}
          onChange={(event) => enter({ owner: event.target.value })}
        />
      </Field>
      <Field label="Tags, separated by commas">
        <input
          autoComplete="off"
          value={mine.tags}
          onChange={(event) => enter({ tags: event.target.value })}
        />
      </Field>
      {theirs === null
        ? (
          <>
            <p className="soft small">
              Saving confirms the type <Foreign text={typeName(mine.device_type)} className="strong" />:{" "}
              neither behaviour nor the inventory changes it afterwards.
            </p>
            <FormEnd
              fault={save.error && !isConflict ? `Not saved: ${save.error.message}` : null}
              saving={save.isPending || isConflict}
              send={`Save and confirm ${typeName(mine.device_type) || "type"}`}
              cancel={close}
            />
          </>
        )
        : (
          <ConflictDiff
            what="This device"
            fields={conflictFields(enteredOf(base), enteredOf(theirs), mine)}
            by={<ChangedBy base={base} stored={theirs} />}
            saving={save.isPending}
            apply={() => applyOnTop(theirs)}
            discard={close}
          />
        )}
    </form>
  );
}

function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <label className="field">
      <span>{label}</span>
      {children}
    </label>
  );
}

/** Who changed it and when. */
function ChangedBy({ base, stored }: { base: DeviceDetail; stored: DeviceDetail }) {
  const nameOf = usePersonName();
  const entry = stored.workflow_history.findLast(({ revision }) => revision > base.revision);
  if (entry === undefined) return <>New records or the inventory changed it.</>;
  return (
    <>
      Changed by <Foreign text={nameOf(entry.actor)} />, <Time at={entry.at} />.
    </>
  );
}
