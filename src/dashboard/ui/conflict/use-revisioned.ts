import { useRef, useState } from "react";
import { useMutation } from "@tanstack/react-query";
import { ApiFailure } from "../../base/api.ts";
import { newKey } from "../../base/idempotency.ts";

interface RevisionedOptions<T extends { revision: number }, Body, Saved> {
  /** The object as the page has it; the form is based on the version with which it was opened. */
  current: T;
  /** Reads the stored version after a conflict. */
  read: () => Promise<T>;
  send: (body: Body, options: { key: string; revision: number }) => Promise<Saved>;
  saved: (result: Saved) => void;
}

interface Revisioned<T, Body> {
  /** The version that the form was opened with. */
  base: T;
  /** The stored version, after a conflict. */
  theirs: T | null;
  /** Saves what is entered now; after a conflict on top of the stored version. */
  save: (body: Body) => void;
  saving: boolean;
  /** Why nothing was saved, other than a conflict. */
  error: Error | null;
}

/** Saves a form of an object with revisions. A conflict reads the stored version and keeps what was entered. */
export function useRevisioned<T extends { revision: number }, Body, Saved>(
  { current, read, send, saved }: RevisionedOptions<T, Body, Saved>,
): Revisioned<T, Body> {
  const [base] = useState(current);
  const [theirs, setTheirs] = useState<T | null>(null);
  // Resending the same form after a broken connection must not make a second change.
  const attempt = useRef({ content: "", key: "" });
  const mutation = useMutation({
    mutationFn: async ({ body, revision }: { body: Body; revision: number }) => {
      const content = JSON.stringify([body, revision]);
      if (attempt.current.content !== content) attempt.current = { content, key: newKey() };
      try {
        return { result: await send(body, { key: attempt.current.key, revision }) };
      } catch (error) {
        if (!(error instanceof ApiFailure && error.status === 412)) throw error;
        setTheirs(await read());
        return null;
      }
    },
    onSuccess: (done) => done !== null && saved(done.result),
  });
  return {
    base,
    theirs,
    save: (body) => mutation.mutate({ body, revision: (theirs ?? base).revision }),
    saving: mutation.isPending,
    error: mutation.error,
  };
}
