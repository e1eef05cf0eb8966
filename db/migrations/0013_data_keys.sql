-- A new data key seals only once every running platform has had the time to learn of it.
alter table data_key add column seals_from timestamptz not null default now();
