/**
 * Campaigns and their recipients. The messages of a campaign are rows of `messages` with its id, one for each recipient
 * at most. They stand in the lane of their number beside the texts, in an index and behind a gate of their own, so that
 * neither holds the other back.
 */
export const campaigns = `
create table campaigns (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  -- The number it is bound to: that of the key which made it, or the one named when it was started.
  container_id uuid references numbers on delete set null,
  name text not null,
  template text not null,
  status text not null check (status in ('draft', 'scheduled', 'sending', 'paused', 'completed', 'cancelled')),
  total integer not null,
  scheduled_at timestamptz,
  start_error text,
  created_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz
) with (fillfactor = 80);
create index campaigns_organization on campaigns (organization_id, created_at, id);
create index campaigns_scheduled on campaigns (scheduled_at) where status = 'scheduled';
create index campaigns_sending on campaigns (id) where status in ('sending', 'cancelled');
create index campaigns_number on campaigns (container_id) where container_id is not null;

create table campaign_recipients (
  campaign_id uuid not null references campaigns on delete cascade,
  organization_id uuid not null,
  position integer not null,
  phone text not null,
  variables jsonb not null,
  primary key (campaign_id, position)
);
create unique index campaign_recipients_phone on campaign_recipients (campaign_id, phone);

-- A second apart: how often the campaigns of one organization send, all numbers together.
create table campaign_gates (
  organization_id uuid primary key references organizations on delete cascade,
  gate_at timestamptz not null
) with (fillfactor = 50);
alter table lanes add column campaign_gate_at timestamptz not null default '-infinity';

-- Equal to lease_token once the holder of the claim has begun to hand the message to the network.
alter table messages add column begun_token uuid;
create unique index messages_campaign on messages (campaign_id, recipient) where campaign_id is not null;
create index messages_campaign_status on messages (campaign_id, status) where campaign_id is not null;
create index messages_campaign_lane on messages (container_id, queue_at, id)
  where status = 'queued' and campaign_id is not null;
drop index messages_lane;
create index messages_lane on messages (container_id, queue_at, id)
  where status = 'queued' and priority <> 'high' and campaign_id is null;

-- What follows for campaigns when their messages move. A message that comes back into the queue of a campaign which
-- does not send is taken out; one that the network may have got stays, and waits for the campaign to go on. The
-- campaign whose last message is settled is completed.
create function follow_campaign_messages() returns trigger language plpgsql as $$
declare
  back uuid[];
  settled uuid;
begin
  if not exists (select from added where campaign_id is not null) then return null; end if;
  select array_agg(a.id) into back from added a join removed r on r.id = a.id
   where a.campaign_id is not null and a.status = 'queued' and r.status = 'sending';
  if back is not null then
    perform from campaigns where id in (select campaign_id from added where id = any(back)) order by id for share;
    update messages m set due_at = 'infinity' from campaigns c
     where m.id = any(back) and c.id = m.campaign_id and c.status <> 'sending' and m.outcome_unknown_since is not null;
    delete from messages m using campaigns c
     where m.id = any(back) and c.id = m.campaign_id and c.status <> 'sending' and m.outcome_unknown_since is null;
  end if;
  for settled in
    select distinct a.campaign_id from added a join removed r on r.id = a.id
     where a.campaign_id is not null and a.status not in ('queued', 'sending') and r.status in ('queued', 'sending')
     order by 1
  loop
    -- While many are left it is not the last one, and nobody has to wait for the others of the campaign.
    if (select count(*) from (select from messages
          where campaign_id = settled and status in ('queued', 'sending') limit 100) few) < 100 then
      perform from campaigns where id = settled and status = 'sending' for update;
      update campaigns set status = 'completed', completed_at = (select service_now())
       where id = settled and status = 'sending'
         and not exists (select from messages where campaign_id = settled and status in ('queued', 'sending'));
    end if;
  end loop;
  return null;
end $$;
create trigger messages_campaign_moved after update on messages
  referencing old table as removed new table as added for each statement execute function follow_campaign_messages();
`
