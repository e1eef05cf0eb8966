-- Who did what with secrets and with data (D-73). Append only.
create table audit (
  id         bigint generated always as identity primary key,
  team_id    text not null references team,
  token_id   text not null,
  action     text not null,                                       -- database.reveal | database.rotate | database.delete | …
  subject_id text not null,
  address    text not null,                                       -- of the client
  at         timestamptz not null default now()
);
create index audit_of_team on audit (team_id, id desc);
