-- Masked before they come here. `at` of runtime lines is the engine's own time stamp.
create table build_log (
  id            bigint generated always as identity primary key,
  deployment_id text not null,
  text          text not null                                     -- whole lines, each ending in \n
);
create index build_log_of_deployment on build_log (deployment_id, id);

create table runtime_log (
  id            bigint generated always as identity primary key,
  service_id    text not null,
  deployment_id text not null,
  at            timestamptz not null,
  stamp         text not null,                                    -- RFC 3339 with nanoseconds: where following resumes
  text          text not null                                     -- one line, without \n
);
create index runtime_log_of_service on runtime_log (service_id, at, id);
-- A line sent twice is kept once, whoever sends it.
create unique index runtime_log_of_deployment on runtime_log (deployment_id, stamp);
