-- Archives are files under DATA_DIR/uploads, named by content.
create table upload (
  sha256     text primary key,
  format     text not null check (format in ('tar.gz', 'zip')),
  size_bytes bigint not null,
  created_at timestamptz not null default now()
);

create table deployment_group (
  id         text primary key,                                    -- = actor of kind group
  project_id text not null references project on delete cascade,
  team_id    text not null references team,
  created_at timestamptz not null default now()
);

-- What a deployment ran with. Its status, error and times are those of the actor with the same id.
create table deployment (
  id               text primary key,                              -- = actor of kind deployment
  project_id       text not null references project on delete cascade,
  service_id       text not null references service on delete cascade,
  team_id          text not null references team,
  group_id         text,
  trigger          text not null check (trigger in ('api', 'upload', 'git', 'rollback', 'group')),
  source           jsonb not null,                                -- as the API shows it: {type, sha256 | ref | commit}
  rollback_of      text,
  service_revision int not null,                                  -- service.revision when it was triggered
  settings         jsonb not null,                                -- see src/domain/deployment-settings.ts
  environment      bytea not null,                                -- sealed {env, sensitive: [values]}; associated data: id
  created_at       timestamptz not null default now()
);
create index deployment_of_service on deployment (service_id, id desc);
create index deployment_of_group on deployment (group_id) where group_id is not null;

-- Where requests for a service go. Written by effects only; a lower generation never wins.
create table route (
  service_id             text primary key,
  deployment_id          text,
  address                text,
  port                   int,
  previous_deployment_id text,
  previous_address       text,
  previous_port          int,
  generation             bigint not null,
  updated_at             timestamptz not null default now()
);
