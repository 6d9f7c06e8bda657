-- Conversations of assistants, and connections of AI clients, that ended long ago are deleted.
create index bot_conversations_closed on bot_conversations (closed_at) where closed_at is not null;
create index mcp_connections_last on mcp_connections ((coalesce(revoked_at, last_used_at, created_at)));
