-- Claimed in the transaction of the effect, so a crash cannot keep one without the other (D-19).
create table idempotency (
  token_id    text not null references token,
  key         text not null,
  fingerprint text not null,
  status      int not null,
  body        text,
  location    text,
  created_at  timestamptz not null default now(),
  primary key (token_id, key)
);
create index idempotency_age on idempotency (created_at);
