-- Incidents are bounded per hour of receipt, too: a storm may be spread over many hours of source time.
alter table incident_opening add column by_receipt boolean not null default false;
alter table incident_opening drop constraint incident_opening_pkey;
alter table incident_opening add primary key (tenant_id, hour, model_id, severity, by_receipt);
