// The dialogue of setup: lines that are said, and questions.

import process from "node:process";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";

export interface Terminal {
  say(line: string): void;
  /** The answer without spaces around it; null if there are no more. A secret is not shown while it is typed. */
  ask(question: string, isSecret?: boolean): Promise<string | null>;
}

/** Asks until the answer is accepted; Enter takes `preset`. Null if there are no more answers. */
export async function askFor<T>(
  terminal: Terminal,
  question: string,
  accept: (text: string) => { value: T } | { fault: string },
  preset: { text: string; isSecret?: boolean } | null = null,
): Promise<T | null> {
  const shown = preset?.text ? ` [${preset.isSecret ? "as it is" : preset.text}]` : "";
  while (true) {
    const answer = await terminal.ask(`${question}${shown}: `, preset?.isSecret);
    if (answer === null) return null;
    const accepted = accept(answer === "" ? preset?.text ?? "" : answer);
    if ("value" in accepted) return accepted.value;
    terminal.say(`  ${accepted.fault}`);
  }
}

/** Whether the answer is yes, which Enter means too. */
export async function isConfirmed(terminal: Terminal, question: string): Promise<boolean> {
  const isYes = await askFor(terminal, question, (text) => {
    if (/^y(es)?$/i.test(text)) return { value: true };
    return /^no?$/i.test(text) ? { value: false } : { fault: "expected yes or no" };
  }, { text: "yes" });
  return isYes ?? false;
}

/** The process's own terminal; null if there is none. */
export function processTerminal(): Terminal | null {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return null;
  return {
    say: (line) => void process.stdout.write(`${line}\n`),
    ask: (question, isSecret = false) =>
      new Promise((resolve) => {
        let isMuted = false;
        const output = new Writable({
          write(chunk, _encoding, done) {
            if (!isMuted) process.stdout.write(chunk);
            done();
          },
        });
        const lines = createInterface({ input: process.stdin, output, terminal: true });
        let answer: string | null = null;
        lines.on("SIGINT", () => {
          lines.close();
          process.exit(130);
        });
        lines.on("close", () => {
          if (isMuted || answer === null) process.stdout.write("\n");
          resolve(answer);
        });
        lines.question(question, (text) => {
          answer = text.trim();
          lines.close();
        });
        isMuted = isSecret;
      }),
  };
}
