import type { Clock } from "../../src/kit/clock.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { PostgresDatabase } from "../../src/store/engine/postgres/postgres.ts";

/** A clock that a test moves by hand. */
export class HandClock implements Clock {
  constructor(private micros: number) {}

  now(): number {
    return this.micros;
  }

  advance(seconds: number): void {
    this.micros += seconds * 1e6;
  }
}

/** A database without a server: proves that something does not need one. */
export function unreachableDatabase(): Database {
  return new PostgresDatabase({ url: "postgres://nobody@127.0.0.1:1/nothing" });
}
