// Rules for source text, checked on its syntax tree. `Deno.lint.runPlugin`, which provides the tree, works
// only in `deno test`.

export interface Finding {
  line: number;
  what: string;
  /** The enclosing exported declaration, or null. */
  inside: string | null;
}

/** Uses of the clock, randomness, timers, the network, the environment, or the time zone. */
export function impurities(path: string, source: string): Finding[] {
  return visit(path, source, (found) => ({
    NewExpression(node) {
      if (nameOf(node.callee) === "Date" && node.arguments.length === 0) found(node, "new Date()");
    },
    CallExpression(node) {
      const name = nameOf(node.callee);
      if (IMPURE_CALLS.has(name)) found(node, `${name}()`);
    },
    MemberExpression(node) {
      const object = nameOf(node.object);
      const property = node.computed ? "" : nameOf(node.property);
      const known = IMPURE_MEMBERS[object];
      if (known && (known.length === 0 || known.includes(property))) found(node, `${object}.${property}`);
      if (LOCAL_TIME.test(property)) found(node, `.${property}, which depends on time zone or language`);
    },
    ImportDeclaration(node) {
      if (node.source.value !== "node:crypto" || node.importKind === "type") return;
      for (const specifier of node.specifiers) {
        const name = specifier.type === "ImportSpecifier" ? importedName(specifier.imported) : "*";
        if (!PURE_CRYPTO.includes(name)) found(node, `${name} of node:crypto`);
      }
    },
    ImportExpression(node) {
      if (node.source.type !== "Literal") found(node, "an import of a computed name");
    },
  }));
}

const IMPURE_CALLS = new Set(["Date", "fetch", "setTimeout", "setInterval", "setImmediate", "randomUUID"]);
/** An empty list means every member. */
const IMPURE_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  Date: ["now"],
  Math: ["random"],
  crypto: ["randomUUID", "getRandomValues"],
  performance: [],
  Temporal: ["Now"],
  Deno: [],
  process: [],
  globalThis: [],
};
const PURE_CRYPTO = ["createHash", "createHmac", "hash", "timingSafeEqual"];
const LOCAL_TIME =
  /^(toLocale\w*String|getTimezoneOffset|[gs]et(Date|Day|Hours|Minutes|Seconds|Month|FullYear))$/;

/** The names that a file imports as values, by specifier. */
export function importedNames(path: string, source: string): { written: string; names: string[] }[] {
  const imports: { written: string; names: string[] }[] = [];
  visit(path, source, () => ({
    ImportDeclaration(node) {
      if (node.importKind === "type") return;
      const names = node.specifiers
        .filter((specifier) => specifier.type !== "ImportSpecifier" || specifier.importKind !== "type")
        .map((specifier) => specifier.type === "ImportSpecifier" ? importedName(specifier.imported) : "*");
      imports.push({ written: node.source.value, names });
    },
  }));
  return imports;
}

/** SQL statements, as the `sql` tag or as plain text. */
export function sqlTexts(path: string, source: string): Finding[] {
  return visit(path, source, (found) => ({
    TaggedTemplateExpression(node) {
      if (nameOf(node.tag) === "sql") found(node, "the sql tag");
    },
    TemplateLiteral(node) {
      const text = node.quasis.map((quasi) => quasi.cooked).join("x");
      if (isSql(text)) found(node, `SQL: ${text.trim().slice(0, 40)}`);
    },
    Literal(node) {
      if (typeof node.value === "string" && isSql(node.value)) {
        found(node, `SQL: ${node.value.trim().slice(0, 40)}`);
      }
    },
  }));
}

/** Keywords in uniform case, so that a sentence such as "Select a tenant from the list" does not match. */
const SQL = [
  /^\s*select\s[^;]*\sfrom\s+[\w"$]/,
  /^\s*insert\s+into\s+[\w"$]/,
  /^\s*update\s+[\w".$]+\s+set\s/,
  /^\s*delete\s+from\s+[\w"$]/,
  /^\s*with\s+\w+\s+as\s*\(/,
  /^\s*(create|alter|drop)\s+(table|index|role|schema|policy|database|view|type|function)\s/,
];

function isSql(text: string): boolean {
  const upper = /^\s*[A-Z]{4}/.test(text);
  return SQL.some((pattern) => pattern.test(upper ? text.toLowerCase() : text));
}

/** Ways around the type checker and the linter. */
export function escapes(path: string, source: string): Finding[] {
  return visit(path, source, (found) => ({
    TSAnyKeyword(node) {
      found(node, "the type any");
    },
    Program(node) {
      for (const comment of node.comments) {
        const escape = ESCAPE.exec(comment.value)?.[1];
        if (escape) found(comment, escape);
      }
    },
  }));
}

/** Blocks that begin on the line of their `else`, as the formatter leaves a statement that it had to wrap. */
export function crampedBlocks(path: string, source: string): Finding[] {
  return visit(path, source, (found) => ({
    IfStatement({ alternate }) {
      if (alternate?.type !== "BlockStatement" || alternate.body.length === 0) return;
      const between = source.slice(alternate.range[0], alternate.body[0]!.range[0]);
      if (!between.includes("\n")) found(alternate, "a block on the line of else");
    },
  }));
}

const ESCAPE =
  /^[\s*]*(@ts-(?:ignore|nocheck|expect-error)|deno-lint-ignore-file|deno-lint-ignore\b.*\bno-explicit-any)/;

type Found = (node: { range: Deno.lint.Range }, what: string) => void;

function visit(path: string, source: string, visitor: (found: Found) => Deno.lint.LintVisitor): Finding[] {
  const findings: (Finding & { at: number })[] = [];
  let body: Deno.lint.Statement[] = [];
  const found: Found = ({ range: [at] }, what) => {
    const line = source.slice(0, at).split("\n").length;
    findings.push({ at, line, what, inside: null });
  };
  const rule: Deno.lint.Rule = {
    create: (context) => {
      body = context.sourceCode.ast.body;
      return visitor(found);
    },
  };
  Deno.lint.runPlugin({ name: "architecture", rules: { rule } }, path, source);
  return findings.map(({ at, line, what }) => {
    const statement = body.find(({ range: [start, end] }) => start <= at && at < end);
    return { line, what, inside: statement ? exportedName(statement) : null };
  });
}

function exportedName(statement: Deno.lint.Statement): string | null {
  if (statement.type !== "ExportNamedDeclaration" || !statement.declaration) return null;
  const declaration = statement.declaration;
  if (declaration.type === "VariableDeclaration") return nameOf(declaration.declarations[0]!.id);
  return "id" in declaration && declaration.id ? nameOf(declaration.id) : null;
}

function importedName(imported: Deno.lint.Identifier | Deno.lint.StringLiteral): string {
  return imported.type === "Identifier" ? imported.name : imported.value;
}

function nameOf(node: { type: string }): string {
  return node.type === "Identifier" ? (node as Deno.lint.Identifier).name : "";
}
