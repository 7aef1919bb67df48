// `ndr completion`: a script with which a shell completes commands and their options.

import process from "node:process";
import { Argument, Command } from "commander";

/** What may follow each command, the deepest first: `["ndr audit", ["list", "--json"]]`. */
type Words = readonly (readonly [command: string, words: readonly string[]])[];

/** `load`: the whole command line. */
export function completionCommand(load: () => Promise<Command>): Command {
  return new Command("completion")
    .description("print a script that completes commands and options in a shell")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh"]))
    .addHelpText("after", "\nExample:\n  . <(ndr completion bash)\n")
    .action(async (shell: "bash" | "zsh") => {
      const words = wordsOf(await load());
      process.stdout.write(shell === "bash" ? bashScript(words) : zshScript(words));
    });
}

function wordsOf(command: Command, path = command.name()): Words {
  const options = command.options.flatMap(({ short, long }) => [short, long]).filter((name) => name != null);
  const commands = command.commands.map((sub) => sub.name());
  const deeper = command.commands.flatMap((sub) => wordsOf(sub, `${path} ${sub.name()}`));
  return [...deeper, [path, [...commands, ...options, "--help"]]];
}

/** Files complete what the script does not know. */
function bashScript(words: Words): string {
  return `_ndr() {
  local words= path=ndr word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] || path+=" $word"; done
  case $path in
${words.map(([path, list]) => `    "${path}"*) words="${list.join(" ")}" ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _ndr ndr
`;
}

function zshScript(words: Words): string {
  return `#compdef ndr
local -a given=(ndr \${\${words[2,CURRENT-1]}:#-*})
case "$given" in
${words.map(([path, list]) => `  ("${path}"*) compadd -- ${list.join(" ")} ;;`).join("\n")}
esac
_files
`;
}
