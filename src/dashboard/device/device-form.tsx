/// <reference lib="dom" />
import { type FormEvent, useId, useRef } from "react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { DeviceDetail, DevicePatch } from "../../contract/device/device.ts";
import { ApiFailure, write } from "../app/api.ts";
import { newKey } from "../app/idempotency.ts";
import { deviceDirectory } from "../app/queries.ts";
import { useSignedIn } from "../app/session.ts";
import { KNOWN_TYPES } from "./device-type.tsx";
import { Icon } from "../ui/icons.tsx";

/** `a, b` as a list without duplicates. */
function tagsOf(text: string): string[] {
  return [...new Set(text.split(",").map((tag) => tag.trim()).filter((tag) => tag !== ""))];
}

/** The form's content; always includes name and type, because saving confirms them even if unchanged. */
function patchOf(form: FormData): DevicePatch {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  return {
    display_name: text("display_name"),
    device_type: text("device_type"),
    owner: text("owner") || null,
    tags: tagsOf(text("tags")),
  };
}

function faultOf(error: unknown): string {
  if (!(error instanceof ApiFailure)) return String(error);
  return error.status === 412
    ? "This device changed after you opened it, so nothing was saved. The current version is loaded: check it " +
      "behind this form, then save again."
    : `Not saved: ${error.message}`;
}

/** Confirms or corrects what a device is. */
export function DeviceForm({ device, done }: { device: DeviceDetail; done: () => void }) {
  const { tenant, session } = useSignedIn();
  const client = useQueryClient();
  const directory = useQuery(deviceDirectory(tenant));
  const inUse = [...directory.data?.devices.values() ?? []].map(({ device_type }) => device_type);
  const types = new Set([...KNOWN_TYPES, ...inUse]);
  const typeList = useId();
  const attempt = useRef({ body: "", key: "" });

  const save = useMutation({
    mutationFn: (patch: DevicePatch) => {
      const body = JSON.stringify([patch, device.revision]);
      if (attempt.current.body !== body) attempt.current = { body, key: newKey() };
      return write<DeviceDetail>("PATCH", `/api/v1/devices/${encodeURIComponent(device.device_id)}`, patch, {
        csrf: session.csrf_token,
        key: attempt.current.key,
        revision: device.revision,
      });
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: [tenant] });
      done();
    },
    onError: (error) => {
      if (error instanceof ApiFailure && error.status === 412) {
        void client.invalidateQueries({ queryKey: [tenant, "device", device.device_id] });
      }
    },
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(patchOf(new FormData(event.currentTarget)));
  };

  return (
    <form className="form" onSubmit={submit}>
      <label className="field">
        <span>Name</span>
        <input name="display_name" required maxLength={128} defaultValue={device.display_name} />
      </label>
      <label className="field">
        <span>Type</span>
        <input
          name="device_type"
          required
          maxLength={64}
          defaultValue={device.device_type}
          list={typeList}
          autoComplete="off"
        />
        <datalist id={typeList}>
          {[...types].sort().map((type) => <option key={type} value={type} />)}
        </datalist>
      </label>
      <label className="field">
        <span>Owner</span>
        <input name="owner" maxLength={128} defaultValue={device.owner ?? ""} autoComplete="off" />
      </label>
      <label className="field">
        <span>Tags, separated by commas</span>
        <input name="tags" defaultValue={device.tags.join(", ")} autoComplete="off" />
      </label>
      <p className="soft small">Saving marks name and type as confirmed by a person.</p>
      {save.error && (
        <p className="notice notice-error" role="alert">
          <Icon name="warning" />
          <span>{faultOf(save.error)}</span>
        </p>
      )}
      <div className="form-buttons">
        <button type="button" className="button" onClick={done}>Cancel</button>
        <button type="submit" className="button button-primary" disabled={save.isPending}>
          {save.isPending ? "Saving…" : "Save and confirm"}
        </button>
      </div>
    </form>
  );
}
