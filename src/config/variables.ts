import { messageOf } from "../kit/errors.ts";
import type { Faults, Place } from "./yaml/faults.ts";
import type { ConfigInput } from "./yaml/input.ts";
import { Secret } from "./secret.ts";

/** Reads environment variables. An empty one counts as unset, like `NAME=` in ndr.env. */
export class Variables {
  readonly #input: ConfigInput;
  readonly #faults: Faults;
  readonly #envFile: string;
  #envLines: string[] | null = null;

  /** `envFile` is only read to report the line of a fault; it need not be readable. */
  constructor(input: ConfigInput, faults: Faults, envFile: string) {
    this.#input = input;
    this.#faults = faults;
    this.#envFile = envFile;
  }

  fault(name: string, message: string): void {
    this.#faults.add(this.#placeOf(name), `${name}: ${message}`);
  }

  text(name: string): string | null {
    return this.#input.env(name) || null;
  }

  /** Whether the secret `name` is set, in either form. */
  hasSecret(name: string): boolean {
    return this.text(name) !== null || this.text(`${name}_FILE`) !== null;
  }

  /** `NAME`, or the content of the file that `NAME_FILE` names, without its last line end. */
  secret(name: string, report = (why: string) => this.fault(name, why)): Secret | null {
    const direct = this.text(name);
    const path = this.text(`${name}_FILE`);
    if (path === null) return direct === null ? null : new Secret(direct);
    if (direct !== null) {
      report(`expected either ${name} or ${name}_FILE, not both`);
      return null;
    }
    const bytes = this.bytes(`${name}_FILE`, path);
    if (bytes === null) return null;
    const text = new TextDecoder().decode(bytes).replace(/\r?\n$/, "");
    if (text !== "") return new Secret(text);
    report(`expected a secret in ${path}, but the file is empty`);
    return null;
  }

  /** The exact content of the file `path`, which the variable `name` names. */
  bytes(name: string, path: string): Uint8Array | null {
    try {
      return this.#input.readFile(path);
    } catch (error) {
      const why = error instanceof Deno.errors.NotFound ? "it does not exist" : messageOf(error);
      this.fault(name, `expected the path of a readable file, but ${path}: ${why}`);
      return null;
    }
  }

  integer(name: string, range: { min: number; max: number }): number | null {
    const text = this.text(name);
    if (text === null) return null;
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : NaN;
    if (value >= range.min && value <= range.max) return value;
    this.fault(name, `expected an integer from ${range.min} to ${range.max}, got "${text}"`);
    return null;
  }

  /** A number of bytes, with an optional K, M, G or T for powers of 1024. */
  size(name: string): number | null {
    const text = this.text(name);
    if (text === null) return null;
    const match = /^([1-9][0-9]{0,11})([KMGT])?$/.exec(text);
    const power = " KMGT".indexOf(match?.[2] ?? " ");
    const value = Number(match?.[1]) * 1024 ** power;
    if (Number.isSafeInteger(value)) return value;
    this.fault(name, `expected a number of bytes such as 500G, got "${text}"`);
    return null;
  }

  flag(name: string, otherwise: boolean): boolean {
    const text = this.text(name)?.toLowerCase() ?? null;
    if (text === null) return otherwise;
    if (text === "true" || text === "on") return true;
    if (text === "false" || text === "off") return false;
    this.fault(name, `expected on, off, true or false, got "${text}"`);
    return otherwise;
  }

  oneOf<T extends string>(name: string, values: readonly T[], otherwise: T): T {
    const text = this.text(name);
    if (text === null) return otherwise;
    const found = values.find((value) => value === text);
    if (found === undefined) this.fault(name, `expected one of ${values.join(", ")}, got "${text}"`);
    return found ?? otherwise;
  }

  #placeOf(name: string): Place {
    this.#envLines ??= this.#readEnvFile();
    // systemd uses the last assignment of a name.
    const index = this.#envLines.findLastIndex((line) => line.trimStart().startsWith(`${name}=`));
    if (index === -1) return { file: "environment", line: null, column: null };
    return { file: this.#envFile, line: index + 1, column: 1 };
  }

  #readEnvFile(): string[] {
    try {
      return new TextDecoder().decode(this.#input.readFile(this.#envFile)).split("\n");
    } catch {
      // The fault then names the variable without a line.
      return [];
    }
  }
}
