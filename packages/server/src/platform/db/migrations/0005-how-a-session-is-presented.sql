alter table user_tokens add column carrier text check (carrier in ('bearer', 'cookie'));
comment on column user_tokens.carrier is
  'How the token is presented. Null for a session from before this column: it works both ways until it ends.';
