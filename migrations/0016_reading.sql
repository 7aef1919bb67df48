-- What is asked for among very many others: what somebody did, what was refused, actions that wait.
create index audit_operation on audit (tenant_id, operation, at);
create index audit_refused on audit (tenant_id, at) where outcome = 'refused';
create index response_action_status on response_action (tenant_id, status, proposed_at, action_id);
