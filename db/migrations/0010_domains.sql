-- A host name that a team brings for a public service. Its status, errors and times are those of the actor of the same id.
create table domain (
  id           text primary key,                                  -- = actor of kind domain
  service_id   text not null references service on delete cascade,
  project_id   text not null references project on delete cascade,
  team_id      text not null references team,
  hostname     text not null,                                     -- lower case, ASCII
  proof        text not null,                                     -- what the TXT record must say
  asked_at     timestamptz,                                       -- the last verification that was let through (D-60)
  certificate  bytea,                                             -- sealed key and chain in PEM; associated data: id
  expires_at   timestamptz,                                       -- of the certificate
  created_at   timestamptz not null default now()
);
create unique index domain_hostname on domain (lower(hostname));
create index domain_of_service on domain (service_id, id);
