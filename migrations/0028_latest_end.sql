-- By when all flows had ended, kept by the pipeline with its cursor; null until its next round. What ended long before a
-- record can be joined by none: a flow is then not looked for, however long the longest of all took.
alter table pipeline_cursor add column latest_end timestamptz;
