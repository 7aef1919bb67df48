import { useSyncExternalStore } from "react";

/** A value of the whole page, outside of components, which follow its changes. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  /** The value as a React hook. */
  use(): T;
}

export function createStore<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const get = () => value;
  return {
    get,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}
