-- A credential that a rotation is making valid: written before the engine hears of it, `credentials` once it works there.
alter table database add column pending bytea;

-- A database from its deletion until its data is gone. Apart from `database`, so that name and quota are free at once, and
-- without a reference to the project, which may be deleted meanwhile.
create table deleted_database (
  id            text primary key,                                 -- = actor of kind database
  project_id    text not null,
  team_id       text not null references team,
  name          text not null,
  engine        text not null,
  quota_mb      int not null,
  network_index int not null,
  credentials   bytea not null,                                   -- sealed about id, as in `database`
  pending       bytea,
  created_at    timestamptz not null,
  deleted_at    timestamptz not null default now()
);

-- A final backup; its file is DATA_DIR/backups/<id>. It outlives its database and its project.
create table backup (
  id            text primary key,                                 -- = actor of kind backup
  project_id    text not null,
  team_id       text not null references team,
  database_id   text not null,
  database_name text not null,
  engine        text not null,
  quota_mb      int not null,                                     -- what the database had: default of a restore
  used_mb       int not null,
  size_bytes    bigint,                                           -- of the file, once it is verified
  sha256        text,
  created_at    timestamptz not null default now(),
  expires_at    timestamptz not null
);
create index backup_of_project on backup (project_id, id desc);

create table restore (
  id          text primary key,                                   -- = actor of kind restore
  project_id  text not null references project on delete cascade,
  team_id     text not null references team,
  backup_id   text not null references backup,
  database_id text not null,                                      -- the new database
  created_at  timestamptz not null default now()
);
create index restore_of_project on restore (project_id, id desc);

-- What a team is told without having asked (spec 6): a database became read-only, a final backup failed.
create table notice (
  id         text primary key,
  team_id    text not null references team,
  project_id text not null,
  subject_id text not null,
  kind       text not null,                                       -- database.read_only | database.writable | backup.failed
  details    jsonb not null,
  created_at timestamptz not null default now()
);
create index notice_of_team on notice (team_id, id desc);

-- Databases that an earlier version of their machine left ready have no timer that measures them: this sets it going.
insert into inbox (actor_id, event, source)
select id, '{"type":"MEASURE"}', 'migration' from actor where kind = 'database' and state like 'ready%' and status = 'active';
