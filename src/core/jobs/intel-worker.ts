/// <reference lib="deno.worker" />
// Reading a million indicators takes seconds, and their text more memory than they do: in a thread of its own neither
// ingest nor the memory of the core feels it. One message loads all lists, and the thread ends.

import { type Fault, Faults } from "../../config/yaml/faults.ts";
import { readIntelFiles } from "../../config/intel.ts";
import { compileIntel } from "../../domain/intel/compile.ts";
import type { ListReport } from "../../domain/intel/indicator.ts";
import { type IntelData, sharedData } from "../../domain/intel/intel-set.ts";

export interface IntelRequest {
  configDir: string;
}

export interface IntelAnswer {
  data: IntelData;
  lists: ListReport[];
  faults: readonly Fault[];
}

self.onmessage = ({ data: { configDir } }: MessageEvent<IntelRequest>) => {
  const faults = new Faults();
  const { data, lists } = compileIntel(readIntelFiles(configDir, faults));
  self.postMessage({ data: sharedData(data), lists, faults: faults.list } satisfies IntelAnswer);
};
