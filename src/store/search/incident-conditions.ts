import type { Comparison } from "../../contract/filter/tree.ts";
import type { Part, SomeOf } from "../../domain/search/parts.ts";
import { type Criterion, questionOf, type SearchContext } from "../../domain/search/criterion.ts";
import type { IncidentField } from "../../domain/search/values.ts";
import { type Sql, sql } from "../engine/sql.ts";
import { any, meets, meetsId } from "./criterion-sql.ts";
import { compileTree, noGroups, notTrue } from "./tree-sql.ts";

/** The condition on a row of `incident` named `i`; `some`: how groups of other conditions are compiled. */
export function incidentCondition(
  tenantId: string,
  where: Part,
  context: SearchContext,
  some: (group: SomeOf) => Sql,
): Sql {
  return compileTree(where, {
    comparison: (comparison) => incidentComparison(tenantId, comparison, context),
    some,
  });
}

/** The ids of incidents that meet the condition. */
export function incidentsWith(tenantId: string, where: Part, context: SearchContext): Sql {
  const condition = incidentCondition(tenantId, where, context, noGroups);
  return sql`select i.incident_id from incident i where i.tenant_id = ${tenantId} and ${condition}`;
}

function incidentComparison(tenantId: string, comparison: Comparison, context: SearchContext): Sql {
  const { negated, criterion } = questionOf(comparison, context);
  const condition = INCIDENT_SQL[comparison.field as IncidentField](criterion, tenantId);
  return negated ? notTrue(condition) : condition;
}

const INCIDENT_SQL: Record<IncidentField, (criterion: Criterion, tenantId: string) => Sql> = {
  time: (criterion) => meets(sql`i.last_seen`, criterion),
  first_seen: (criterion) => meets(sql`i.first_seen`, criterion),
  last_seen: (criterion) => meets(sql`i.last_seen`, criterion),
  incident: (criterion) => meetsId(sql`i.incident_id`, criterion),
  title: (criterion) => any([meets(sql`i.title`, criterion), meets(sql`i.summary`, criterion)]),
  severity: (criterion) => meets(sql`i.severity`, criterion),
  status: (criterion) => meets(sql`i.status`, criterion),
  score: (criterion) => meets(sql`i.score`, criterion),
  detector: (criterion) =>
    sql`exists (select from jsonb_object_keys(i.model_scores) k where ${meets(sql`k`, criterion)})`,
  // By the index on an incident's results, of which there are at most a few hundred.
  technique: (criterion, tenantId) =>
    sql`exists (select from model_result r where r.tenant_id = ${tenantId} and r.incident_id = i.incident_id
      and ${meets(sql`(r.body ->> 'technique')`, criterion)})`,
  // By the subject or the name that is shown.
  assignee: (criterion, tenantId) =>
    any([
      meets(sql`i.assignee`, criterion),
      sql`exists (select from person p where p.tenant_id = ${tenantId} and p.subject = i.assignee
        and ${meets(sql`p.display_name`, criterion)})`,
    ]),
};
