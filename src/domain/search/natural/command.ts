import type { Part } from "./rules/reading.ts";
import { type Token, tokens } from "./words/token.ts";

/** Words before a command. */
const BEFORE: ReadonlySet<string> = new Set(
  "please can could would you i we want to let's lets just kindly".split(" "),
);
/** Verbs that change something. None of them begins a question. */
const COMMANDS: ReadonlySet<string> = new Set(
  ("accept acknowledge approve assign block close create delete dismiss disable enable escalate ignore isolate kill " +
    "mark merge mute quarantine reassign reject release remove rename reopen restart run snooze stop suppress unblock")
    .split(" "),
);
/** Words after a verb that can also begin a question: `open my incidents`, but `open incidents`. */
const OBJECTS: ReadonlySet<string> = new Set(
  "my the this that these those all every incident case".split(" "),
);

/** The verb of a text that asks for a change, which a search cannot make; null if it asks for none. */
export function commandOf(text: string): Part | null {
  const all = tokens(text);
  const at = all.findIndex(({ text }) => !BEFORE.has(text));
  const verb = all[at];
  const object = all[at + 1];
  if (verb === undefined || object === undefined || !isCommand(verb, object)) return null;
  return { from: verb.from, to: verb.to, text: verb.typed };
}

function isCommand({ text }: Token, object: Token): boolean {
  if (text === "scan") return object.kind === "address";
  if (text === "open" || text === "resolve") return OBJECTS.has(object.text);
  return COMMANDS.has(text);
}
