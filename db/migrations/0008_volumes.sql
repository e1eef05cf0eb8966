-- One volume of a service; its data is on an image file named by its id, for ever.
create table volume (
  id         text primary key,
  service_id text not null constraint volume_attached references service,   -- a service does not go before its volume
  project_id text not null references project on delete cascade,
  team_id    text not null references team,
  mount_path text not null,
  size_gb    int not null,
  used_mb    int not null default 0,                              -- as last measured
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint one_volume_a_service unique (service_id)
);
create index volume_of_project on volume (project_id, id);
create index volume_of_team on volume (team_id);

-- Volumes that are over: only what is named here is ever destroyed. Kept, so that a leftover can be told from a stranger.
create table deleted_volume (
  id         text primary key,
  service_id text not null,
  deleted_at timestamptz not null default now()
);

-- The one deployment that may have an instance on the volume of the service, and whether requests wait meanwhile (D-53).
alter table route add column volume_holder text;
alter table route add column held boolean not null default false;

-- Numbers of the address pools stay taken until nothing in the world uses them: `owner_id` is a deleted service or project.
create table leaving (
  owner_id      text primary key,
  project_id    text not null,
  network_index int unique,
  vip_index     int unique
);
