import { useRef } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { BodyOf, DataOf, RequestOf, RevisionedId, WriteId } from "../../contract/request/client.ts";
import { callAny } from "./api.ts";
import { newKey } from "./idempotency.ts";
import { useSignedIn } from "./session.ts";

/** Creates an object by a `POST`; the same content sent again after a broken connection is the same request. */
export function useCreation<Id extends Exclude<WriteId, RevisionedId>>(
  id: Id,
  request: Omit<RequestOf<Id>, "body">,
  saved: (created: DataOf<Id>) => void,
) {
  const { tenant, session } = useSignedIn();
  const client = useQueryClient();
  const attempt = useRef({ content: "", key: "" });
  return useMutation({
    mutationFn: async (body: BodyOf<Id>) => {
      const content = JSON.stringify([request, body]);
      if (attempt.current.content !== content) attempt.current = { content, key: newKey() };
      const { key } = attempt.current;
      return await callAny(id, { ...request, body, csrf: session.csrf_token, key }) as DataOf<Id>;
    },
    // Reads everything again before the form closes, so that no page shows the former state.
    onSuccess: (created) =>
      void client.invalidateQueries({ queryKey: [tenant] }).finally(() => saved(created)),
  });
}
