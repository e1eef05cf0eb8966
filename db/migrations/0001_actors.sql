-- The durable runtime. One row per actor; everything an actor owes the world is a row of the same transaction.
create table actor (
  id          text primary key,              -- the public id of the resource it describes
  kind        text not null,
  version     int  not null,                 -- of the machine that wrote the snapshot
  status      text not null check (status in ('active', 'done', 'parked')),
  state       text not null,                 -- dotted path of the leaf state; its first word is what the API calls status
  snapshot    json not null,
  revision    bigint not null,               -- number of the last journal row
  subject     text,                          -- at most one active actor of a kind about one subject
  created_at  timestamptz not null default now(),
  started_at  timestamptz,                   -- when it first left its first state
  finished_at timestamptz
) with (fillfactor = 50);
alter table actor alter column snapshot set storage external;
create unique index one_active_actor on actor (kind, subject) where status = 'active' and subject is not null;

create table journal (                       -- append only
  actor_id  text not null,
  revision  bigint not null,
  source    text not null,                   -- spawn | inbox:<id> | timer:<name> | effect:<id> | ask
  event     json not null,
  before    text,
  after     text not null,
  handled   boolean not null,
  asked     json not null,                   -- what came out: effects, timers, letters
  error     text,                            -- why the event was poison
  at        timestamptz not null default now(),
  primary key (actor_id, revision)           -- the last fence: two owners cannot write one step
);

create table inbox (
  id         bigint generated always as identity primary key,
  actor_id   text not null,
  event      json not null,
  source     text not null,
  dedupe     text,
  effect_id  bigint,                         -- answer of this effect; stale when the effect was cancelled meanwhile
  attempts   int not null default 0,
  due_at     timestamptz not null default now(),
  unique (actor_id, dedupe)
);
create index inbox_of_actor on inbox (actor_id, id);

create table timer (
  actor_id  text not null,
  name      text not null,
  event     json not null,
  fire_at   timestamptz not null,
  primary key (actor_id, name)
);
create index timer_due on timer (fire_at);

create table effect (
  id          bigint generated always as identity primary key,
  key         text not null unique,          -- <actor>:<revision>:<n>
  actor_id    text not null,
  invoke_id   text,                          -- null for work that nobody waits for
  lane        text not null,
  name        text not null,
  params      json not null,
  state       text not null default 'ready' check (state in ('ready', 'running', 'canceling', 'done', 'failed', 'canceled', 'dead')),
  attempts    int not null default 0,
  run_at      timestamptz not null default now(),
  lease       uuid,                          -- token of the present performer; every later write names it
  leased_until timestamptz,
  owner       int,                           -- number of the worker; it holds an advisory lock while it lives
  delivered   boolean not null default false, -- its answer has been taken, or was cancelled before it could be
  error       text,
  asked_at    timestamptz not null default now(),
  finished_at timestamptz
);
create index effect_open on effect (lane, id) where state in ('ready', 'running', 'canceling');
create unique index one_running_effect_a_lane on effect (lane) where state in ('running', 'canceling');
create index effect_of_actor on effect (actor_id, invoke_id) where not delivered;
create index effect_finished on effect (finished_at) where finished_at is not null;

create sequence worker_number as int cycle;
