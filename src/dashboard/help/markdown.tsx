import { createContext, type ReactNode, useContext, useMemo } from "react";
import { lexer, type Token, type Tokens } from "marked";
import { Link } from "@tanstack/react-router";
import { to } from "../base/links.ts";
import { anchorsOf } from "./sections.ts";

/** Anchors by heading token. */
const Anchors = createContext<ReadonlyMap<Token, string>>(new Map());

/**
 * A page as elements: its text is parsed, never inserted as markup; HTML in it is left out. The title is left out too,
 * because the page's header has it.
 */
export function Markdown({ text }: { text: string }) {
  const tokens = useMemo(() => lexer(text), [text]);
  const anchors = useMemo(() => {
    const headings = tokens.filter((token): token is Tokens.Heading => token.type === "heading");
    const names = anchorsOf(headings.map((heading) => heading.text));
    return new Map<Token, string>(headings.map((heading, index) => [heading, names[index]!]));
  }, [tokens]);
  return (
    <Anchors.Provider value={anchors}>
      <Blocks tokens={tokens.filter((token) => !(token.type === "heading" && token.depth === 1))} />
    </Anchors.Provider>
  );
}

function Blocks({ tokens }: { tokens: readonly Token[] }): ReactNode {
  return tokens.map((token, index) => <Block key={index} token={token} />);
}

function Inline({ tokens = [] }: { tokens?: readonly Token[] }): ReactNode {
  return tokens.map((token, index) => <Span key={index} token={token} />);
}

function Block({ token }: { token: Token }): ReactNode {
  const anchors = useContext(Anchors);
  switch (token.type) {
    case "heading": {
      const { depth, tokens } = token as Tokens.Heading;
      const Heading = `h${depth}` as "h1";
      return (
        <Heading id={anchors.get(token)} tabIndex={-1}>
          <Inline tokens={tokens} />
        </Heading>
      );
    }
    case "paragraph":
      return (
        <p>
          <Inline tokens={token.tokens} />
        </p>
      );
    // Text of a list item without blank lines.
    case "text":
      return <Inline tokens={token.tokens ?? [token]} />;
    case "list": {
      const { ordered, start, items } = token as Tokens.List;
      const entries = items.map((item, index) => (
        <li key={index}>
          <Blocks tokens={item.tokens} />
        </li>
      ));
      return ordered ? <ol start={start === "" ? undefined : start}>{entries}</ol> : <ul>{entries}</ul>;
    }
    case "code": {
      const { text } = token as Tokens.Code;
      return (
        <pre tabIndex={0} role="region" aria-label={`Example: ${text.split("\n", 1)[0]}`}>
          <code>{text}</code>
        </pre>
      );
    }
    case "blockquote":
      return (
        <blockquote>
          <Blocks tokens={token.tokens ?? []} />
        </blockquote>
      );
    case "table":
      return <Table table={token as Tokens.Table} />;
    case "hr":
      return <hr />;
    default:
      return null;
  }
}

function Table({ table: { header, rows, align } }: { table: Tokens.Table }) {
  return (
    <div
      className="table-box"
      tabIndex={0}
      role="region"
      aria-label={`Table: ${header.map(({ text }) => text).join(", ")}`}
    >
      <table className="table">
        <thead>
          <tr>
            {header.map((cell, column) => (
              <th key={column} scope="col" className={align[column] === "right" ? "number" : undefined}>
                <Inline tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} className={align[column] === "right" ? "number" : undefined}>
                  <Inline tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Span({ token }: { token: Token }): ReactNode {
  switch (token.type) {
    case "text":
      return token.tokens === undefined ? token.text : <Inline tokens={token.tokens} />;
    case "escape":
      return token.text;
    case "codespan":
      return <code>{token.text}</code>;
    case "strong":
      return (
        <strong>
          <Inline tokens={token.tokens} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Inline tokens={token.tokens} />
        </em>
      );
    case "del":
      return (
        <del>
          <Inline tokens={token.tokens} />
        </del>
      );
    case "br":
      return <br />;
    case "link":
      return <PageLink link={token as Tokens.Link} />;
    default:
      return null;
  }
}

const PAGE = /^(?:\.\/)?([a-z-]+)\.md(?:#(.*))?$/;

/** A link to another page, within the page, or out of the appliance. */
function PageLink({ link: { href, tokens } }: { link: Tokens.Link }) {
  const text = <Inline tokens={tokens} />;
  const page = PAGE.exec(href);
  if (page !== null) return <Link {...to.help(page[1]!)} hash={page[2]} className="link">{text}</Link>;
  if (href.startsWith("#")) return <a href={href} className="link">{text}</a>;
  if (/^https?:\/\//.test(href)) {
    return <a href={href} className="link" target="_blank" rel="noreferrer">{text}</a>;
  }
  // A file of the source tree, which the appliance does not have.
  return text;
}
