const counts = ['sent', 'delivered', 'failed', 'read'] as const
const declared = counts.map((count) => `${count} bigint not null`).join(', ')
const of = (status: string) => `case when ${status} in ('sent', 'delivered', 'read') then 1 else 0 end as sent,
  case when ${status} in ('delivered', 'read') then 1 else 0 end as delivered,
  case when ${status} = 'failed' then 1 else 0 end as failed, case when ${status} = 'read' then 1 else 0 end as read`
const signed = (sign: '' | '-') => counts.map((count) => `${sign}${count} as ${count}`).join(', ')
const counted = (rows: string) =>
  `select campaign_id, organization_id, ${of('status')} from ${rows} where campaign_id is not null`
const summed = counts.map((count) => `sum(${count})`).join(', ')
const moved = counts.map((count) => `sum(${count}) <> 0`).join(' or ')

/**
 * How far the messages of each campaign came, kept as the counts of all messages are: triggers append what a statement
 * changed, a job folds it, and the truth is the folded row plus the changes. And since when, and when last, a scheduled
 * start was tried in vain.
 */
export const campaignCounts = `
alter table campaigns add column start_failing_since timestamptz, add column start_tried_at timestamptz;

create table campaign_counts (
  campaign_id uuid primary key references campaigns on delete cascade,
  organization_id uuid not null,
  ${declared}
) with (fillfactor = 50);

create table campaign_count_changes (
  campaign_id uuid not null,
  organization_id uuid not null,
  ${declared}
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1);
create index campaign_count_changes_campaign on campaign_count_changes (campaign_id);

create function count_campaign_messages() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if not exists (select from added where campaign_id is not null) then return null; end if;
    insert into campaign_count_changes
    select campaign_id, organization_id, ${summed} from (${counted('added')}) moved group by 1, 2 having ${moved};
  elsif tg_op = 'DELETE' then
    if not exists (select from removed where campaign_id is not null) then return null; end if;
    insert into campaign_count_changes
    select campaign_id, organization_id, ${summed}
      from (select campaign_id, organization_id, ${signed('-')} from (${counted('removed')}) gone) moved
     group by 1, 2 having ${moved};
  else
    if not exists (select from added where campaign_id is not null) then return null; end if;
    insert into campaign_count_changes
    select campaign_id, organization_id, ${summed}
      from (${counted('added')}
            union all
            select campaign_id, organization_id, ${signed('-')} from (${counted('removed')}) gone) moved
     group by 1, 2 having ${moved};
  end if;
  return null;
end $$;

create trigger messages_campaign_count_added after insert on messages
  referencing new table as added for each statement execute function count_campaign_messages();
create trigger messages_campaign_count_moved after update on messages
  referencing old table as removed new table as added for each statement execute function count_campaign_messages();
create trigger messages_campaign_count_removed after delete on messages
  referencing old table as removed for each statement execute function count_campaign_messages();

-- Making the triggers has locked the table against writers, so nothing is missed between them and this count.
insert into campaign_counts
select campaign_id, organization_id, ${summed} from (${counted('messages')}) present
 where campaign_id in (select id from campaigns) group by 1, 2;
`
