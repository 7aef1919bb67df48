import type { ListReport } from "./indicator.ts";
import { IntelBuilder, type IntelLimits } from "./intel-builder.ts";
import { type IntelData, IntelSet } from "./intel-set.ts";
import { parseList } from "./parse-list.ts";

/** A list's text, in pieces of any size: it need not be in memory all at once. */
interface IntelText {
  /** Name of the file; `.csv` and `.tsv` say that it is a table. */
  name: string;
  pieces: Iterable<string>;
}

interface CompiledIntel {
  data: IntelData;
  lists: ListReport[];
}

/** Reads lists, in the order in which they are given, into the data of one `IntelSet`. */
export function compileIntel(texts: Iterable<IntelText>, limits?: IntelLimits): CompiledIntel {
  const builder = new IntelBuilder(limits);
  const lists: ListReport[] = [];
  for (const { name, pieces } of texts) lists.push(parseList(name, pieces, builder));
  return { data: builder.build(), lists };
}

/** The set of no indicators. */
export function noIntel(): IntelSet {
  return new IntelSet(compileIntel([]).data);
}
