/// <reference lib="dom" />
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { to } from "../base/links.ts";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { helpPage } from "./help-page.ts";
import { Markdown } from "./markdown.tsx";
import { sectionsOf } from "./sections.ts";
import "./help.css";

const PAGE = "search";
const CHAPTER = /^## +(.*)$/;

/** The page about the search language with its contents, for a narrow panel. */
export default function SearchHelp() {
  const { data, error, isPending, refetch } = useQuery(helpPage(PAGE));
  if (isPending) return <SkeletonBlock tall />;
  if (!data) return <ErrorState what="The reference" error={error} retry={() => void refetch()} />;
  const chapters = new Set(data.split("\n").flatMap((line) => CHAPTER.exec(line)?.[1] ?? []));
  const sections = sectionsOf(data).filter(({ heading }) => chapters.has(heading));
  return (
    <>
      <nav className="help-contents" aria-label="Contents">
        {sections.map(({ heading, anchor }) => (
          <button
            key={anchor}
            type="button"
            className="link-button"
            onClick={() => {
              const target = document.getElementById(anchor);
              target?.scrollIntoView({ block: "start" });
              target?.focus({ preventScroll: true });
            }}
          >
            {heading}
          </button>
        ))}
        <Link {...to.help(PAGE)} className="link">Open as a page</Link>
      </nav>
      <div className="help-page help-panel">
        <Markdown text={data} />
      </div>
    </>
  );
}
