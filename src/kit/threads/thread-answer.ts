/// <reference lib="deno.worker" />
import { messageOf } from "../errors.ts";
import type { Answer, Question } from "./threads.ts";

/** In the program of a thread: answers the questions of `Threads.ask`. */
export function answerWith<Q, A>(answer: (question: Q) => A | Promise<A>): void {
  self.onmessage = async (event: MessageEvent<Question<Q>>) => {
    const { id, question } = event.data;
    let message: Answer<A>;
    try {
      message = { id, answer: await answer(question) };
    } catch (error) {
      message = { id, failure: messageOf(error) };
    }
    self.postMessage(message);
  };
}
