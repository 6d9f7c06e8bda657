import { type Db, rows } from '#platform/db/db.ts'
import { offNetwork, replies } from './guard-rules.ts'

/** A number under guard. */
export interface WatchedNumber {
  readonly organizationId: string
  readonly containerId: string
  readonly phoneNumber: string | null
  readonly instanceName: string
}

const columns = `n.organization_id, n.id as container_id, n.phone_number, n.instance_name`

/** Returns the numbers that sent something under guard in the last ten minutes, of all organizations. */
export async function findActive(db: Db): Promise<string[]> {
  const found = await rows<{ containerId: string }>(
    db,
    `select distinct container_id from guard_sends
      where at > (select service_now()) - interval '10 minutes'`,
  )
  return found.map(({ containerId }) => containerId)
}

/** Returns those of these numbers with too many missing recipients among their last ones. */
export async function findOffNetwork(db: Db, containerIds: readonly string[]): Promise<WatchedNumber[]> {
  return rows<WatchedNumber>(
    db,
    `select ${columns} from unnest(:containerIds::uuid[]) as active(id) join numbers n on n.id = active.id
       left join number_guards g on g.container_id = n.id
      where g.stopped_at is null and :most < (
        select count(*) from (
          select s.message_id from guard_sends s
           where s.container_id = n.id and s.at > coalesce(g.judged_from, '-infinity')
           order by s.at desc limit :recipients) last join messages m on m.id = last.message_id
         where m.error_code = 'NUMBER_NOT_ON_NETWORK')`,
    { containerIds, recipients: offNetwork.recipients, most: offNetwork.recipients * offNetwork.share },
  )
}

/**
 * Returns those of these numbers whose last conversations got no reply. A conversation counts after a day, because
 * people take their time, and again only once all of them are newer than the last warning.
 */
export async function findFewReplies(db: Db, containerIds: readonly string[]): Promise<WatchedNumber[]> {
  return rows<WatchedNumber>(
    db,
    `select ${columns} from unnest(:containerIds::uuid[]) as active(id) join numbers n on n.id = active.id
       left join number_guards g on g.container_id = n.id
      where :conversations = (
        select count(*) from (
          select s.recipient, s.at from guard_sends s
           where s.container_id = n.id and s.opens and s.at < (select service_now()) - interval '24 hours'
           order by s.at desc limit :conversations) last
         where last.at > coalesce(g.warned_at, '-infinity') and not exists (
           select from contacts c join chat_messages m on m.contact_id = c.id
            where c.organization_id = n.organization_id and (c.phone = last.recipient or c.lid = last.recipient)
              and m.container_id = n.id and m.direction = 'in' and m.at > last.at))`,
    { containerIds, conversations: replies.conversations },
  )
}

/** Stops the campaigns of a number. Returns false when they were stopped already. */
export async function writeStopped(trx: Db, { organizationId, containerId }: WatchedNumber): Promise<boolean> {
  const stopped = await rows(
    trx,
    `insert into number_guards (container_id, organization_id, stopped_at)
     values (:containerId, :organizationId, (select service_now()))
     on conflict (container_id) do update set stopped_at = excluded.stopped_at
      where number_guards.stopped_at is null
     returning container_id`,
    { organizationId, containerId },
  )
  return stopped.length > 0
}

/** Records that a warning about missing replies was reported. */
export async function writeWarned(trx: Db, { organizationId, containerId }: WatchedNumber): Promise<void> {
  await rows(
    trx,
    `insert into number_guards (container_id, organization_id, warned_at)
     values (:containerId, :organizationId, (select service_now()))
     on conflict (container_id) do update set warned_at = excluded.warned_at`,
    { organizationId, containerId },
  )
}

/** Returns the numbers whose campaigns are stopped, of all organizations. */
export async function findStopped(db: Db): Promise<WatchedNumber[]> {
  return rows<WatchedNumber>(
    db,
    `select ${columns} from number_guards g join numbers n on n.id = g.container_id where g.stopped_at is not null`,
  )
}

/** Lets the campaigns of these numbers continue: a person has decided so, and earlier sends no longer count. */
export async function clearStopped(trx: Db, organizationId: string, containerIds: readonly string[]): Promise<void> {
  await rows(
    trx,
    `update number_guards set stopped_at = null, judged_from = (select service_now())
      where organization_id = :organizationId and container_id = any(:containerIds::uuid[]) and stopped_at is not null`,
    { organizationId, containerIds },
  )
}
