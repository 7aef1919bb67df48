-- What the identity provider knows of a session: its own identifier (claim sid), which its logout names, and what the
-- web layer needs to ask for the claims again. Only the web layer can open provider_state.
alter table session add column provider_session text;
alter table session add column provider_state text;
-- When the claims are to be read again; null: never.
alter table session add column claims_due_at timestamptz;
create index session_provider on session (provider_session) where provider_session is not null;
