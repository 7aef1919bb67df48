// Writes the manual pages into a folder: a page for each command from its own help, for each file of the configuration,
// and for each document for administrators. man-pages.ts <folder>

import type { Command } from "commander";
import { marked, type Token, type Tokens } from "marked";
import project from "../deno.json" with { type: "json" };
import { createProgram } from "../src/cli/program.ts";
import { CONFIG_FILES, OTEL_TEXT, VARIABLES } from "../src/config/reference.ts";

const ROOT = new URL("..", import.meta.url).pathname;
const [folder] = Deno.args;
if (folder === undefined) throw new Error("expected a folder");
await Deno.mkdir(folder, { recursive: true });

/** Text of a page; a line must not begin with a control character. */
function text(words: string): string {
  return words.replace(/\\/g, "\\e").replace(/-/g, "\\-").replace(/^([.'])/gm, "\\&$1");
}

function page(name: string, section: number, summary: string, body: string): void {
  const head = `.TH "${name.toUpperCase()}" ${section} "" "ndr ${project.version}" "NDR"\n`;
  const title = `.SH NAME\n${text(name)} \\- ${text(summary)}\n`;
  Deno.writeTextFileSync(`${folder}/${name}.${section}`, `${head}${title}${body.replace(/\n{2,}/g, "\n")}\n`);
}

function preformatted(words: string): string {
  return `.nf\n${text(words)}\n.fi\n`;
}

function helpOf(command: Command): string {
  let help = "";
  command.configureOutput({ writeOut: (part) => help += part });
  command.outputHelp();
  return help.trim();
}

function commandPages(command: Command, path: string[] = []): void {
  const name = [...path, command.name()];
  const [usage, ...rest] = helpOf(command).split("\n");
  const synopsis = `.SH SYNOPSIS\n${text(usage!.replace(/^Usage: /, ""))}\n`;
  const description = `.SH DESCRIPTION\n${preformatted(rest.join("\n").trim())}`;
  const related = command.commands.map((sub) => `.BR ${text([...name, sub.name()].join("-"))} (1)`).join(
    ",\n",
  );
  page(
    name.join("-"),
    1,
    command.description().split("\n")[0]!,
    `${synopsis}${description}${related && `.SH SEE ALSO\n${related}\n`}`,
  );
  for (const sub of command.commands) commandPages(sub, name);
}

function inline(tokens: readonly Token[] = []): string {
  return tokens.map((token) => {
    if (token.type === "br") return "\n";
    if (token.type === "codespan" || token.type === "strong") return `\\fB${text(plain(token))}\\fP`;
    return "tokens" in token && token.tokens !== undefined ? inline(token.tokens) : text(plain(token));
  }).join("");
}

function plain(token: Token): string {
  const words = "text" in token ? String(token.text) : token.raw;
  return words.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, '"').replace(/&#39;/g, "'")
    .replace(/&amp;/g, "&");
}

function roff(tokens: readonly Token[]): string {
  return tokens.map((token): string => {
    switch (token.type) {
      case "heading":
        return `${token.depth <= 2 ? ".SH" : ".SS"} ${inline(token.tokens)}\n`;
      case "paragraph":
        return `.PP\n${inline(token.tokens)}\n`;
      case "code":
        return `.PP\n.RS 4\n${preformatted(token.text)}.RE\n`;
      case "list":
        return (token as Tokens.List).items.map((item, at) =>
          `.IP ${token.ordered ? `${at + 1}.` : "\\(bu"} 3\n${
            inline(item.tokens.flatMap((part) => "tokens" in part ? part.tokens ?? [] : [part]))
          }\n`
        ).join("");
      case "table": {
        const { header, rows } = token as Tokens.Table;
        return rows.map((cells) =>
          `.TP\n${inline(cells[0]!.tokens)}\n${
            cells.slice(1).map((cell, at) => `${text(header[at + 1]!.text)}: ${inline(cell.tokens)}`).join(
              "\n.br\n",
            )
          }\n`
        ).join("");
      }
      default:
        return "";
    }
  }).join("");
}

const services = { core: never, web: never, up: never };
const build = { version: project.version, bundleVersion: project.version, commit: null, licenseKeys: {} };
commandPages(await createProgram([], build, services));

for await (const { name } of Deno.readDir(`${ROOT}src/docs`)) {
  const markdown = await Deno.readTextFile(`${ROOT}src/docs/${name}`);
  if (["develop.md", "index.md"].includes(name)) continue;
  const [title, ...rest] = marked.lexer(markdown);
  page(`ndr-${name.replace(/\.md$/, "")}`, 7, `NDR: ${plain(title!)}`, `.SH DESCRIPTION\n${roff(rest)}`);
}

for (const { name, text: content, applied } of CONFIG_FILES) {
  if (name.endsWith("/")) continue;
  const body = `.SH DESCRIPTION\n${text(content)}\n.PP\nA change applies: ${text(applied)}.\n` +
    `.SH FILES\n/etc/ndr/${text(name)}\n.SH SEE ALSO\n.BR ndr\\-configuration (7)\n`;
  page(`ndr-${name}`, 5, `NDR: ${content.split(/[:;(]/)[0]!.trim()}`, body);
}
const variables = VARIABLES.map(({ name, text: content, value }) =>
  `.TP\n.B ${text(name)}\n${text(`${content}${value === null ? "" : ` (${value})`}`)}\n`
);
page(
  "ndr.env",
  5,
  "NDR: environment of the services",
  `.SH DESCRIPTION\n${variables.join("")}.PP\n${text(OTEL_TEXT)}\n`,
);

function never(): Promise<void> {
  return Promise.reject(new Error("not started here"));
}
