-- Hidden ids are searched without their suffix: otherwise a search for "lid" finds every one of them.
alter table contacts drop column search_text;
alter table contacts add column search_text text generated always as (
  lower(coalesce(saved_name, '') || chr(30) || coalesce(network_name, '') || chr(30) || coalesce(phone, '') || chr(30)
        || split_part(coalesce(lid, ''), '@', 1))
) stored not null;
create index contacts_text on contacts using gin (organization_id, search_text gin_trgm_ops);
