-- Incidents are counted by status and severity every ten seconds, for the metrics.
create index incident_counts on incident (tenant_id, status, severity);
