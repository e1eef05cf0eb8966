create table project (
  id            text primary key,
  team_id       text not null references team,
  name          text not null,
  slug          text not null constraint project_slug unique,
  network_index int not null constraint project_network unique,   -- which subnet of the project pool is its own
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now()
);
create index project_of_team on project (team_id, id);

-- Apps and databases of a project share one set of names.
create table component_name (
  project_id text not null references project on delete cascade,
  name       text not null,
  owner_id   text not null,
  constraint component_name_taken primary key (project_id, name)
);

create table service (
  id               text primary key,
  project_id       text not null references project on delete cascade,
  team_id          text not null references team,
  name             text not null,
  visibility       text not null check (visibility in ('public', 'private')),
  slug             text constraint service_slug unique,
  port             int not null default 8080,
  source           jsonb,
  builder          text not null default 'auto',
  run_as           text,                                          -- API: build.user
  healthcheck_path text not null default '/',
  start_command    text,
  build_command    text,
  memory_mb        int not null default 512,
  cpus             numeric(6,2) not null default 0.5,
  auto_deploy      boolean not null default false,
  vip_index        int not null constraint service_vip unique,    -- which address of the platform pool its name resolves to
  revision         int not null default 1,                        -- counts changes that want a redeploy (D-59)
  upload_sha256    text,                                          -- the last archive sent
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  constraint slug_means_public check ((visibility = 'public') = (slug is not null))
);
create index service_of_project on service (project_id, id);
create index service_of_team on service (team_id);

-- A row with a service belongs to it; without one it is a shared variable of the project.
create table variable (
  id         text primary key,
  project_id text not null references project on delete cascade,
  service_id text references service on delete cascade,
  name       text not null,
  sealed     bytea not null,                                      -- associated data: id
  sensitive  boolean not null default false,
  refs       text[] not null default '{}',                        -- what can be parsed: 'db.DATABASE_URL', 'shared.X'
  updated_at timestamptz not null default now()
);
create unique index variable_of_service on variable (service_id, name) where service_id is not null;
create unique index variable_shared on variable (project_id, name) where service_id is null;
