import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { to } from "../base/links.ts";
import { plural } from "../ui/format.ts";
import { Card } from "../ui/page.tsx";
import { Empty, ErrorState, SkeletonRows } from "../ui/states.tsx";
import { loadPage, PAGE_NAMES } from "./pages.ts";
import { searchSections, type Section, sectionsOf } from "./sections.ts";

const MOST = 40;

interface NamedSection extends Section {
  name: string;
}

async function allSections(): Promise<NamedSection[]> {
  const pages = await Promise.all(
    PAGE_NAMES.map(async (name) => ({ name, text: await loadPage(name) ?? "" })),
  );
  return pages.flatMap(({ name, text }) => sectionsOf(text).map((section) => ({ ...section, name })));
}

/** The sections of all pages that a search finds. */
export function Found({ query }: { query: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["help-sections"],
    queryFn: allSections,
    staleTime: Infinity,
  });
  if (error) return <ErrorState what="The help" error={error} retry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows />;
  const hits = searchSections(data, query, MOST);
  if (hits.length === 0) {
    return (
      <Empty icon="search" title="Nothing found">
        <p className="soft">No section of the help has all these words.</p>
      </Empty>
    );
  }
  return (
    <Card title="Found" note={hits.length === MOST ? `the best ${MOST}` : plural(hits.length, "section")}>
      <ul className="help-hits">
        {hits.map(({ section: { name, page, heading, anchor }, excerpt }) => (
          <li key={`${name}#${anchor}`}>
            <Link {...to.help(name)} hash={anchor || undefined} className="link strong">
              {heading}
            </Link>
            {heading !== page && <span className="muted small">{` in ${page}`}</span>}
            {excerpt !== "" && <p className="soft small">{excerpt}</p>}
          </li>
        ))}
      </ul>
    </Card>
  );
}
