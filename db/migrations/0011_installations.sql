-- Access to git repositories that a person has given to a team.
create table git_installation (
  id           text primary key,
  team_id      text not null references team,
  provider     text not null check (provider in ('github', 'gitlab', 'generic')),
  account      text not null,                                     -- user, group or organisation there
  base_url     text not null,                                     -- https://host or ssh://user@host; repositories are below it
  auth         text not null check (auth in ('none', 'token', 'ssh_key')),
  secret       bytea,                                             -- sealed token or private key; associated data: id
  known_hosts  text,                                              -- of an ssh server: who it is
  repositories jsonb not null,                                    -- [{full_name, default_branch}], the first one is the default
  created_at   timestamptz not null default now(),
  constraint installation_of_account unique (team_id, provider, base_url, account)
);
create index installation_of_team on git_installation (team_id, id);
