import type { Fault } from "../../config/yaml/faults.ts";
import type { ListReport } from "../../domain/intel/indicator.ts";
import { IntelSet } from "../../domain/intel/intel-set.ts";
import type { IntelAnswer, IntelRequest } from "./intel-worker.ts";

export interface LoadedIntel {
  set: IntelSet;
  /** One for each list that was read, by name; with the lines that cannot be used. */
  lists: readonly ListReport[];
  /** Files that cannot be read. */
  faults: readonly Fault[];
}

/** Reads all lists of `<configDir>/intel` in a thread of its own. Rejects only where that thread cannot do its work at all. */
export async function loadIntel(configDir: string): Promise<LoadedIntel> {
  const file = import.meta.url.endsWith(".ts") ? "./intel-worker.ts" : "./intel-worker.js";
  const worker = new Worker(new URL(file, import.meta.url), { type: "module" });
  try {
    const { data, lists, faults } = await new Promise<IntelAnswer>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<IntelAnswer>) => resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(`the threat intelligence lists cannot be loaded: ${event.message}`));
      };
      worker.postMessage({ configDir } satisfies IntelRequest);
    });
    return { set: new IntelSet(data), lists, faults };
  } finally {
    worker.terminate();
  }
}
