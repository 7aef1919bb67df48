import { z } from "zod";
import { AUTOMATIC_KINDS, type AutomaticKind } from "../contract/review/response.ts";
import { sha256Hex } from "../kit/hash.ts";
import { readBearerToken, VariableName } from "./bearer-token.ts";
import type { Faults } from "./yaml/faults.ts";
import { Identifier } from "./yaml/ids.ts";
import { type ConfigInput, readText } from "./yaml/input.ts";
import type { Secret } from "./secret.ts";
import { Variables } from "./variables.ts";
import { claim, type Faultless, pathText, section, YamlFile } from "./yaml/yaml.ts";

/** A system that carries out approved actions and reports their outcomes. */
export interface RegisteredExecutor {
  executorId: string;
  tenantId: string;
  token: Secret;
}

/**
 * The incident score from which automatic mode proposes a kind of action; unlisted kinds are never proposed.
 */
export type AutomaticGates = Readonly<Partial<Record<AutomaticKind, { minScore: number }>>>;

export interface TenantResponse {
  tenantId: string;
  automatic: AutomaticGates;
  /** Whether an action may be approved only by another person than its proposer. */
  requireSecondPerson: boolean;
  executors: RegisteredExecutor[];
}

const RESPONSE_FILE = "response.yaml";

const Gate = section({ min_score: z.number().min(0).max(100) });

const Entry = section({
  tenant_id: Identifier,
  automatic: section({ quarantine_device: Gate.optional(), notify_only: Gate.optional() }).optional(),
  require_second_person: z.boolean().optional(),
  executors: z.array(section({ executor_id: Identifier, token_env: VariableName })).optional(),
});
type Entry = z.infer<typeof Entry>;

/** Context in which the file is checked. */
interface ResponseContext {
  /** Tenants of sensors and sites; null if unknown because of their faults. */
  tenants: ReadonlySet<string> | null;
  /** Tokens with another purpose, and which: no token may serve two. */
  taken: readonly { token: Secret; of: string }[];
}

/**
 * Reads `response.yaml`: `response:` with one entry per tenant, in it `automatic:`,
 * `require_second_person:` and `executors:`. `null`
 * if the file does not exist. Faults go to `faults`; the result must not be used then.
 */
export function readResponse(
  input: ConfigInput,
  configDir: string,
  faults: Faults,
  context: ResponseContext,
): TenantResponse[] | null {
  const path = `${configDir}/${RESPONSE_FILE}`;
  const text = readText(input, path, faults);
  return text === null ? null : parseResponse(text, path, input, faults, context);
}

export function parseResponse(
  text: string,
  path: string,
  input: ConfigInput,
  faults: Faults,
  { tenants, taken }: ResponseContext,
): TenantResponse[] {
  const file = YamlFile.parse(text, path, faults);
  if (file === null) return [];
  const executors = new ExecutorReader(
    file,
    new Variables(input, faults, path.replace(/[^/]*$/, "ndr.env")),
    taken,
  );
  const seen = new Map<string, string>();
  const responses: TenantResponse[] = [];
  for (const [index, { path: at, value, valid }] of file.list("response", Entry).entries()) {
    const tenantId = valid.tenant_id;
    if (tenantId !== undefined) {
      claim(
        seen,
        tenantId,
        `response[${index}]`,
        (first) => file.fault([...at, "tenant_id"], `expected one entry per tenant, but ${first} has it too`),
      );
    }
    if (tenantId !== undefined && tenants?.has(tenantId) === false) {
      file.fault([...at, "tenant_id"], "expected a tenant that a sensor or a site names");
    }
    const read = executors.read([...at, "executors"], valid);
    if (value === null) continue;
    responses.push({
      tenantId: value.tenant_id,
      automatic: gatesOf(value),
      requireSecondPerson: value.require_second_person ?? false,
      executors: read.map((executor) => ({ ...executor, tenantId: value.tenant_id })),
    });
  }
  return responses;
}

function gatesOf({ automatic }: Entry): AutomaticGates {
  return Object.fromEntries(AUTOMATIC_KINDS.flatMap((kind) => {
    const gate = automatic?.[kind];
    return gate === undefined ? [] : [[kind, { minScore: gate.min_score }]];
  }));
}

/** Reads the executors of all tenants: each has a unique id and token. */
class ExecutorReader {
  /** Where a token occurs, by its digest, so that no table in memory contains token texts. */
  readonly #tokens: Map<string, string>;
  readonly #ids = new Map<string, string>();

  constructor(
    private readonly file: YamlFile,
    private readonly variables: Variables,
    taken: ResponseContext["taken"],
  ) {
    this.#tokens = new Map(taken.map(({ token, of }) => [sha256Hex(token.reveal()), of]));
  }

  /** The executors without faults. */
  read(
    at: readonly PropertyKey[],
    { executors = [] }: Faultless<Entry>,
  ): Omit<RegisteredExecutor, "tenantId">[] {
    const registered: Omit<RegisteredExecutor, "tenantId">[] = [];
    for (const [index, { executor_id: executorId, token_env: name } = {}] of executors.entries()) {
      const here = [...at, index];
      const text = pathText(here);
      if (executorId !== undefined) {
        claim(
          this.#ids,
          executorId,
          text,
          (first) =>
            this.file.fault([...here, "executor_id"], `expected a unique executor, but ${first} has it too`),
        );
      }
      if (name === undefined) continue;
      const report = (why: string) => this.file.fault([...here, "token_env"], why);
      const token = readBearerToken(this.variables, name, report);
      if (token === null) continue;
      claim(
        this.#tokens,
        sha256Hex(token.reveal()),
        text,
        (first) => report(`expected a unique token, but ${first} has the same`),
      );
      if (executorId !== undefined) registered.push({ executorId, token });
    }
    return registered;
  }
}
