-- Long rejected lines are stored compressed (zstd), as records are: a body of 6 kB may hold lines of 5 MB. line_bytes is
-- the length of the original line; null if the line is stored as it was sent.
alter table rejected_line add column line_bytes integer;
alter table rejected_line alter column line set storage external;
