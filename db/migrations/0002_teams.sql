create table team (
  id         text primary key,
  name       text not null unique,
  plan       text not null default 'hobby',
  created_at timestamptz not null default now()
);

create table token (
  id           text primary key,
  team_id      text not null references team,
  name         text not null,
  prefix       text not null,                -- the first characters, to tell tokens apart
  hash         bytea not null unique,        -- SHA-256; the text is shown once
  scopes       text[] not null,
  project_ids  text[],                       -- null = every project of the team
  created_at   timestamptz not null default now(),
  expires_at   timestamptz not null,
  revoked_at   timestamptz,
  last_used_at timestamptz
);

-- One row per deployment use of the hourly quota (D-57); old rows go away when the team triggers again.
create table deploy_use (
  id      bigint generated always as identity primary key,
  team_id text not null references team,
  at      timestamptz not null default now()
);
create index deploy_use_of_team on deploy_use (team_id, at);

-- Data keys, each wrapped by the master key.
create table data_key (
  id         int primary key,
  wrapped    bytea not null,
  created_at timestamptz not null default now()
);
