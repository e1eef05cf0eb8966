create table database (
  id          text primary key,                                   -- = actor of kind database
  project_id  text not null references project on delete cascade,
  team_id     text not null references team,
  name        text not null,
  engine      text not null check (engine in ('postgres', 'mariadb', 'sqlite')),
  quota_mb    int not null,
  credentials bytea not null,                                     -- sealed {databaseName, user, password}; associated data: id
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now()
);
create index database_of_project on database (project_id, id);
create index database_of_team on database (team_id);

-- What the platform last saw of its parts. Requests read this; they never ask the part itself.
create table part_health (
  part       text primary key,                                    -- docker, router, network, postgres, mariadb, sqlite, build-storage
  healthy    boolean not null,
  detail     text,
  checked_at timestamptz not null default now()
);
