/// <reference lib="dom" />
import { type ReactNode, useEffect } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Missing } from "../ui/missing.tsx";
import { to } from "../base/links.ts";
import { TextFilter } from "../ui/filters.tsx";
import { PageHeader } from "../ui/page.tsx";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { Found } from "./found.tsx";
import { Markdown } from "./markdown.tsx";
import { helpPage } from "./help-page.ts";
import { CONTENTS } from "./pages.ts";
import { anchorOfModel, sectionsOf } from "./sections.ts";
import "./help.css";

/** The administrator documentation: its contents, a page, or what a search finds. */
export function Help(): ReactNode {
  const { page = CONTENTS } = useParams({ strict: false });
  const { q }: { q?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const { data, error, isPending, refetch } = useQuery(helpPage(page));
  if (data === null) return <Missing what="Page" list={to.help()} />;
  const [first] = sectionsOf(data ?? "");
  return (
    <div className="page">
      <PageHeader
        title={q === undefined && first !== undefined ? first.heading : "Help"}
        note="The documentation of this version"
      >
        <Link {...to.help()} className="button">Contents</Link>
        <a href="/api/docs" className="button">REST API</a>
      </PageHeader>
      <search className="filters help-search" aria-label="Search the help">
        <TextFilter
          label="Search the help"
          value={q}
          set={(next) =>
            void navigate(
              {
                to: ".",
                search: (old: Record<string, unknown>) => ({ ...old, q: next }),
                replace: true,
              } as Parameters<typeof navigate>[0],
            )}
          first
        />
      </search>
      {q !== undefined
        ? <Found query={q} />
        : data !== undefined
        ? <Article text={data} />
        : isPending
        ? <SkeletonBlock tall />
        : <ErrorState what="The page" error={error} retry={() => void refetch()} />}
    </div>
  );
}

function Article({ text }: { text: string }) {
  const { hash } = useLocation();
  // The page is loaded after the browser has looked for the anchor.
  useEffect(() => {
    if (hash === "") return;
    // A detector is also found by its model, which results name.
    const target = document.getElementById(hash) ??
      document.getElementById(anchorOfModel(sectionsOf(text), hash) ?? "");
    if (target === null) return;
    target.scrollIntoView({ block: "start" });
    target.focus({ preventScroll: true });
  }, [hash, text]);
  return (
    <article className="card help-page">
      <Markdown text={text} />
    </article>
  );
}
