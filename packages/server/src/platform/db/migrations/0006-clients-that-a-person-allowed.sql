-- Any request of a client wrote used_at, so that a program could keep clients forever that no person ever allowed.
update oauth_clients set used_at = null where used_at is not null;
update oauth_clients c set used_at = allowed.at
  from (select client_id, max(coalesce(last_used_at, created_at)) as at from mcp_connections group by client_id) allowed
 where allowed.client_id = c.id;

comment on column oauth_clients.used_at is 'When a person last allowed it; null before.';
