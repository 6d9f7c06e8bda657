-- Whether a product is active is decided here alone: while it is not paused, and granted or on a trial that runs.
create view entitlements as
select o.id as organization_id, o.deleted_at, o.deactivated_at, o.moving_at, o.moved_to, o.require_two_factor,
       p.products, p.granted = 0 as trial, p.ended > 0 as trial_ended
  from organizations o
 cross join lateral (
   select count(granted_at) as granted,
          count(*) filter (
            where paused_at is null and granted_at is null and o.trial_ends_at <= (select service_now())
          ) as ended,
          coalesce(array_agg(product) filter (
            where paused_at is null and (granted_at is not null or o.trial_ends_at > (select service_now()))
          ), '{}') as products
     from organization_products where organization_id = o.id
 ) p;
comment on view entitlements is 'One row for each organization: what decides whether it may act, and its active products.';
comment on column entitlements.trial is 'It holds no granted product: its messages count against the trial.';
comment on column entitlements.trial_ended is 'A product is off only because the free trial has ended.';

-- Once for each organization of a batch, not for each event. The rest is as before.
create or replace function append_events(given jsonb) returns void language plpgsql as $$
begin
  with ended as (
    delete from campaign_ends e using campaigns c where c.id = e.campaign_id
    returning c.id, c.organization_id, c.name, c.container_id, c.total, c.started_at, c.completed_at
  ), listed as (
    select * from jsonb_to_recordset(given) as given
      (rank int, id uuid, "organizationId" uuid, event text, data jsonb, "messageId" uuid, "endpointId" uuid,
       sample boolean, audience text[])
    union all
    select 1000000, gen_random_uuid(), organization_id, 'campaign.completed',
           jsonb_build_object(
             'campaignId', id, 'name', name, 'status', 'completed', 'containerId', container_id,
             'stats', jsonb_build_object('total', total, 'sent', sent, 'delivered', delivered, 'failed', failed, 'read', read),
             'startedAt', iso_instant(started_at), 'timestamp', iso_instant(completed_at)),
           null, null, false, array['developer']
      from ended cross join lateral (
        select coalesce(sum(sent), 0) as sent, coalesce(sum(delivered), 0) as delivered,
               coalesce(sum(failed), 0) as failed, coalesce(sum(read), 0) as read
          from (select sent, delivered, failed, read from campaign_counts k where k.campaign_id = ended.id
                union all
                select sent, delivered, failed, read from campaign_count_changes k where k.campaign_id = ended.id) k) counted
  ), entitled as materialized (
    select organization_id, products from entitlements
     where deleted_at is null and organization_id in (select "organizationId" from listed)
  ), received as (
    select listed.*, row_number() over (partition by "organizationId" order by listed.rank) as offset_in_batch
    from listed join entitled on entitled.organization_id = "organizationId" and entitled.products && audience
  ), positions as (
    insert into event_positions as kept (organization_id, last_position)
    select "organizationId", count(*) from received group by "organizationId" order by "organizationId"
    on conflict (organization_id) do update set last_position = kept.last_position + excluded.last_position
    returning organization_id, last_position
  ), stored as (
    insert into events (id, organization_id, position, event, data, message_id, sample, created_at)
    select id, organization_id, last_position - count(*) over (partition by organization_id) + offset_in_batch,
           event, data, "messageId", sample, (select service_now())
    from received join positions on positions.organization_id = received."organizationId"
  )
  -- From the events as they were received, and not as they were stored: a join of both would compare each with each.
  insert into webhook_deliveries (id, event_id, organization_id, endpoint_id, status, next_attempt_at, created_at)
  select case when webhooks.main then received.id else gen_random_uuid() end, received.id, webhooks.organization_id,
         webhooks.id, 'pending', (select service_now()), (select service_now())
  from received join webhooks on webhooks.organization_id = received."organizationId"
  where webhooks.url is not null
    and case when received."endpointId" is null then webhooks.kinds is null or received.event = any(webhooks.kinds)
        else webhooks.id = received."endpointId" end;
end $$;
