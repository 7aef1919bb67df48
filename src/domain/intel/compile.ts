import type { ListReport } from "./indicator.ts";
import { IntelBuilder, type IntelLimits } from "./intel-builder.ts";
import { type IntelData, IntelSet } from "./intel-set.ts";
import { parseList } from "./parse-list.ts";

/** A list's text in chunks of any size, so that it need not be in memory at once. */
interface IntelText {
  /** File name; `.csv` and `.tsv` mark a table. */
  name: string;
  pieces: Iterable<string>;
}

interface CompiledIntel {
  data: IntelData;
  lists: ListReport[];
}

/** Compiles lists, in the given order, into the data of one `IntelSet`. */
export function compileIntel(texts: Iterable<IntelText>, limits?: IntelLimits): CompiledIntel {
  const builder = new IntelBuilder(limits);
  const lists: ListReport[] = [];
  for (const { name, pieces } of texts) lists.push(parseList(name, pieces, builder));
  return { data: builder.build(), lists };
}

/** An empty set. */
export function emptyIntel(): IntelSet {
  return new IntelSet(compileIntel([]).data);
}
