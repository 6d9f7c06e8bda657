const statuses = ['queued', 'sending', 'sent', 'delivered', 'read', 'failed']
const declared = statuses.map((status) => `${status} bigint not null`).join(', ')
const summed = statuses.map((status) => `coalesce(sum(n) filter (where status = '${status}'), 0)`).join(', ')
const hour = `date_bin('1 hour', created_at, timestamptz 'epoch')`

/**
 * How many messages an organization has, by hour of acceptance, type and status, for answers whose cost does not grow
 * with history. Triggers keep the count, so no path that stores, moves or deletes messages can forget it. A statement
 * appends what it changed, and nothing it must wait for: rows that every send updated would let the sends of one
 * organization follow each other. A periodic job folds the appended changes into the hours and the totals; the truth is
 * always the folded rows plus the changes.
 */
export const messageCounts = `
create table message_count_changes (
  organization_id uuid not null,
  hour timestamptz not null,
  type text not null,
  ${declared}
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1);
create index message_count_changes_organization on message_count_changes (organization_id);

create table message_hours (
  organization_id uuid not null,
  hour timestamptz not null,
  type text not null,
  ${declared},
  primary key (organization_id, hour, type)
) with (fillfactor = 70);

create table message_totals (
  organization_id uuid not null,
  type text not null,
  ${declared},
  primary key (organization_id, type)
) with (fillfactor = 50);

create function count_messages() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into message_count_changes
    select organization_id, ${hour}, type, ${summed}
      from (select organization_id, created_at, type, status, 1 as n from added) moved group by 1, 2, 3;
  elsif tg_op = 'DELETE' then
    insert into message_count_changes
    select organization_id, ${hour}, type, ${summed}
      from (select organization_id, created_at, type, status, -1 as n from removed) moved group by 1, 2, 3;
  else
    insert into message_count_changes
    select organization_id, hour, type, ${summed}
      from (select organization_id, ${hour} as hour, type, status, sum(n) as n
              from (select organization_id, created_at, type, status, 1 as n from added
                    union all
                    select organization_id, created_at, type, status, -1 from removed) each_row
             group by 1, 2, 3, 4 having sum(n) <> 0) moved
     group by 1, 2, 3;
  end if;
  return null;
end $$;

-- The update trigger names no columns: Postgres allows transition tables only on a trigger that hears of every update.
create trigger messages_count_added after insert on messages
  referencing new table as added for each statement execute function count_messages();
create trigger messages_count_moved after update on messages
  referencing old table as removed new table as added for each statement execute function count_messages();
create trigger messages_count_removed after delete on messages
  referencing old table as removed for each statement execute function count_messages();

-- Making the triggers has locked the table against writers, so nothing is missed between them and this count.
insert into message_hours
select organization_id, ${hour}, type, ${summed}
  from (select organization_id, created_at, type, status, 1 as n from messages) present group by 1, 2, 3;
insert into message_totals
select organization_id, type, ${statuses.map((status) => `sum(${status})`).join(', ')} from message_hours group by 1, 2;

-- Every filter of the list has its rows here in the order of the list.
create index messages_filtered on messages (organization_id, type, status, created_at desc, id desc);
`
