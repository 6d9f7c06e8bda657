import { limits } from '@msgctl/contract'
import { type Db, rows, serviceNow } from '#platform/db/db.ts'
import { noGroup, type SendGroup } from './send-group-rules.ts'

/** The send group of an organization; one that never set any has it off. */
export async function findGroup(db: Db, organizationId: string): Promise<SendGroup> {
  const found = await db('send_groups')
    .where({ organizationId })
    .select<SendGroup[]>({ enabled: 'enabled', containerIds: 'container_ids', mode: 'mode', sticky: 'sticky' })
    .first()
  return found ?? noGroup
}

/** Stores the send group of an organization whole. */
export async function saveGroup(trx: Db, organizationId: string, group: SendGroup): Promise<void> {
  await trx('send_groups')
    .insert({
      organizationId,
      enabled: group.enabled,
      containerIds: [...group.containerIds],
      mode: group.mode,
      sticky: group.sticky,
      updatedAt: serviceNow(trx),
    })
    .onConflict('organizationId')
    .merge()
}

/** The number that each of these contacts was last written to from, by contact; who was never written to is missing. */
export async function findLastNumbers(
  db: Db,
  organizationId: string,
  contacts: readonly string[],
): Promise<Map<string, string>> {
  const found = await rows<{ contact: string; containerId: string }>(
    db,
    `select c.contact, m.container_id
       from unnest(:contacts::text[]) as c(contact) cross join lateral (
         select container_id from messages
          where organization_id = :organizationId and recipient = c.contact and container_id is not null
          order by created_at desc, id desc limit 1) m`,
    { organizationId, contacts },
  )
  return new Map(found.map(({ contact, containerId }) => [contact, containerId]))
}

/** Messages counted at most in one lane: beyond about three minutes of waiting, lanes count as equally full. */
const countedAtMost = 200

/**
 * How many turns of texts are taken on each of these numbers: the seconds until its gate opens, and the messages that
 * wait.
 */
export async function findQueueLoad(
  db: Db,
  organizationId: string,
  containerIds: readonly string[],
): Promise<Map<string, number>> {
  const found = await rows<{ containerId: string; turns: number }>(
    db,
    `select l.container_id,
            ceil(extract(epoch from greatest(l.next_send_at, t.now) - t.now))::int + q.waiting::int as turns
       from lanes l cross join (select service_now() as now) t
      cross join lateral (
         select count(*) as waiting from (
           select from messages m
            where m.container_id = l.container_id and m.status = 'queued' and m.priority <> 'high'
              and m.campaign_id is null
            limit :countedAtMost) w) q
      where l.organization_id = :organizationId and l.container_id = any(:containerIds::uuid[])`,
    { organizationId, containerIds, countedAtMost },
  )
  return new Map(found.map(({ containerId, turns }) => [containerId, turns]))
}

/** Seconds between two campaign messages of one number, as they are drawn on average. */
const secondsPerCampaignMessage = (limits.campaign.minSpacingSeconds + limits.campaign.maxSpacingSeconds) / 2

/**
 * The same for campaigns, whose messages stand beside the texts behind a gate of their own. All that wait are counted:
 * thousands are usual, and who starts a campaign waits for an answer anyway.
 */
export async function findCampaignQueueLoad(
  db: Db,
  organizationId: string,
  containerIds: readonly string[],
): Promise<Map<string, number>> {
  const found = await rows<{ containerId: string; turns: number }>(
    db,
    `with waiting as (
       select m.container_id, count(*) as messages from messages m
        where m.container_id = any(:containerIds::uuid[]) and m.status = 'queued' and m.campaign_id is not null
          and m.due_at < 'infinity'
        group by 1
     )
     select l.container_id,
            ceil(extract(epoch from greatest(l.next_campaign_send_at, t.now) - t.now) / :campaignTurnSeconds)::int
              + coalesce(w.messages, 0)::int as turns
       from lanes l cross join (select service_now() as now) t left join waiting w on w.container_id = l.container_id
      where l.organization_id = :organizationId and l.container_id = any(:containerIds::uuid[])`,
    { organizationId, containerIds, campaignTurnSeconds: secondsPerCampaignMessage },
  )
  return new Map(found.map(({ containerId, turns }) => [containerId, turns]))
}
