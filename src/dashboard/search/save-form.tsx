/// <reference lib="dom" />
import { type FormEvent, useRef } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ResultKind } from "../../contract/filter/tree.ts";
import { call } from "../base/api.ts";
import { newKey } from "../base/idempotency.ts";
import { useSignedIn } from "../base/session.ts";
import { FormEnd } from "../ui/form-end.tsx";
import { savedSearches } from "./saved-query.ts";

interface SaveFormProps {
  kind: ResultKind;
  text: string;
  close: () => void;
}

/** Saves the current filter by a name. */
export function SaveForm({ kind, text, close }: SaveFormProps) {
  const { tenant, session } = useSignedIn();
  const client = useQueryClient();
  const attempt = useRef<{ content: string; key: string } | null>(null);
  const save = useMutation({
    mutationFn: (form: FormData) => {
      const body = {
        name: String(form.get("name")),
        scope: form.get("scope") === "shared" ? "shared" : "personal",
        kind,
        text,
      } as const;
      // The same form after a broken connection is the same request.
      const content = JSON.stringify(body);
      if (attempt.current?.content !== content) attempt.current = { content, key: newKey() };
      const { key } = attempt.current;
      return call("createSavedSearch", { body, csrf: session.csrf_token, key });
    },
    onSuccess: () => {
      void client.invalidateQueries(savedSearches(tenant));
      close();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(new FormData(event.currentTarget));
  };
  return (
    <form className="form" onSubmit={submit}>
      <p className="soft">
        {text === "" ? `All ${kind}.` : (
          <>
            Among {kind}: <code className="wrap">{text}</code>
          </>
        )}
      </p>
      <label className="field">
        <span>Name</span>
        <input name="name" maxLength={100} required autoFocus autoComplete="off" />
      </label>
      <fieldset className="save-scope">
        <legend className="hidden">Who sees it</legend>
        <label>
          <input type="radio" name="scope" value="personal" defaultChecked /> Only you
        </label>
        <label>
          <input type="radio" name="scope" value="shared" /> Everyone of this tenant
        </label>
      </fieldset>
      <FormEnd
        fault={save.error && `Not saved: ${save.error.message}`}
        saving={save.isPending}
        send="Save"
        cancel={close}
      />
    </form>
  );
}
