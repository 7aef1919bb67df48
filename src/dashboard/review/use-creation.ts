import { useRef } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "../base/api.ts";
import { newKey } from "../base/idempotency.ts";
import { useSignedIn } from "../base/session.ts";

/** Creates an object by a `POST`; the same content sent again after a broken connection is the same request. */
export function useCreation<Body, Saved>(path: string, saved: (created: Saved) => void) {
  const { tenant, session } = useSignedIn();
  const client = useQueryClient();
  const attempt = useRef({ content: "", key: "" });
  return useMutation({
    mutationFn: (body: Body) => {
      const content = JSON.stringify([path, body]);
      if (attempt.current.content !== content) attempt.current = { content, key: newKey() };
      return write<Saved>("POST", path, body, { csrf: session.csrf_token, key: attempt.current.key });
    },
    // Reads everything again before the form closes, so that no page shows the former state.
    onSuccess: (created) =>
      void client.invalidateQueries({ queryKey: [tenant] }).finally(() => saved(created)),
  });
}
