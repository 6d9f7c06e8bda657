-- The index of texts begins with their hour and day, so that a search looks up the newest first and stops when it has
-- found enough. While it is made on a large history, texts are searched by the old index, and new ones are not copied.
do $$ begin
  if to_regclass('message_texts_search') is not null then
    create index message_texts_by_time on message_texts using gin (
      organization_id, date_bin('1 hour', created_at, timestamptz 'epoch'), date_bin('1 day', created_at, timestamptz 'epoch'),
      search_text gin_trgm_ops) with (gin_pending_list_limit = 65536);
    drop index message_texts_search;
    alter index message_texts_by_time rename to message_texts_search;
  end if;
end $$;
