import type { BotHours, BotStatus, BotTexts } from '@msgctl/contract'
import { type Db, firstRow, rows } from '#platform/db/db.ts'
import type { OfBot, StoredShop } from './orders/shop-store.ts'

/** The fields of an assistant that a request sets. */
export interface BotFields {
  readonly name: string
  readonly languages: readonly string[]
  readonly texts: BotTexts
  readonly instructions: string
  readonly hours: BotHours
  readonly outsideHours: 'answer' | 'away'
  readonly personWords: readonly string[]
  readonly humanPauseMinutes: number
  readonly shop: StoredShop | null
}

/** A row of an assistant. */
export interface BotRow extends BotFields {
  readonly id: string
  readonly status: BotStatus
  readonly containerIds: readonly string[]
  readonly answers: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = `b.id, b.name, b.status, b.languages, b.texts, b.instructions, b.hours, b.outside_hours, b.person_words,
  b.human_pause_minutes, b.shop, b.created_at, b.updated_at,
  array(select n.container_id from bot_numbers n where n.bot_id = b.id order by n.place) as container_ids,
  (select count(*) from bot_answers a where a.bot_id = b.id) as answers`

/** Returns the assistants of an organization, the oldest first. */
export async function listBots(db: Db, organizationId: string): Promise<BotRow[]> {
  return rows<BotRow>(
    db,
    `select ${columns} from bots b where b.organization_id = :organizationId order by b.created_at, b.id`,
    { organizationId },
  )
}

/** Returns one assistant; `lock` keeps its row until the transaction ends. */
export async function findBot(db: Db, { organizationId, botId }: OfBot, lock = false): Promise<BotRow | undefined> {
  return firstRow<BotRow>(
    db,
    `select ${columns} from bots b where b.organization_id = :organizationId
      and b.id = :botId ${lock ? 'for update of b' : ''}`,
    { organizationId, botId },
  )
}

/** Lets one request at a time add an assistant to an organization, or give one its numbers. */
export async function lockBots(trx: Db, organizationId: string): Promise<void> {
  await trx('organizations').where({ id: organizationId }).forNoKeyUpdate().first('id')
}

/** Counts the assistants of an organization. Lock them first, so that two requests cannot both add the last one. */
export async function countBots(trx: Db, organizationId: string): Promise<number> {
  const [counted] = await rows<{ count: number }>(
    trx,
    'select count(*) as count from bots where organization_id = :organizationId',
    { organizationId },
  )
  return counted?.count ?? 0
}

function toColumns(fields: BotFields) {
  return {
    name: fields.name,
    languages: [...fields.languages],
    texts: JSON.stringify(fields.texts),
    instructions: fields.instructions,
    hours: fields.hours === null ? null : JSON.stringify(fields.hours),
    outsideHours: fields.outsideHours,
    personWords: [...fields.personWords],
    humanPauseMinutes: fields.humanPauseMinutes,
    shop: fields.shop === null ? null : JSON.stringify(fields.shop),
  }
}

/** Stores an assistant as a draft. */
export async function insertBot(trx: Db, organizationId: string, id: string, fields: BotFields): Promise<void> {
  await rows(
    trx,
    `insert into bots (id, organization_id, name, languages, texts, instructions, hours, outside_hours, person_words,
                       human_pause_minutes, shop, created_at, updated_at)
     values (:id, :organizationId, :name, :languages, :texts::jsonb, :instructions, :hours::jsonb, :outsideHours,
             :personWords, :humanPauseMinutes, :shop::jsonb, (select service_now()), (select service_now()))`,
    { id, organizationId, ...toColumns(fields) },
  )
}

/** Changes a locked assistant. */
export async function updateBot(trx: Db, { organizationId, botId }: OfBot, fields: BotFields): Promise<void> {
  await rows(
    trx,
    `update bots set name = :name, languages = :languages, texts = :texts::jsonb, instructions = :instructions,
            hours = :hours::jsonb, outside_hours = :outsideHours, person_words = :personWords,
            human_pause_minutes = :humanPauseMinutes, shop = :shop::jsonb, updated_at = (select service_now())
      where organization_id = :organizationId and id = :botId`,
    { organizationId, botId, ...toColumns(fields) },
  )
}

/** Moves a locked assistant to a status. */
export async function writeBotStatus(trx: Db, { organizationId, botId }: OfBot, status: BotStatus): Promise<void> {
  await rows(
    trx,
    `update bots set status = :status, updated_at = (select service_now())
      where organization_id = :organizationId and id = :botId`,
    { organizationId, botId, status },
  )
}

/** Deletes an assistant with everything that belongs to it. */
export async function deleteBot(trx: Db, { organizationId, botId }: OfBot): Promise<void> {
  await trx('bots').where({ organizationId, id: botId }).delete()
}

/** Returns those of these numbers that the organization has. */
export async function findOwnNumbers(db: Db, organizationId: string, ids: readonly string[]): Promise<string[]> {
  const found = await db('numbers')
    .where({ organizationId })
    .whereIn('id', [...ids])
    .select('id')
  return found.map(({ id }) => id)
}

/** Replaces the numbers of an assistant. */
export async function writeNumbers(
  trx: Db,
  { organizationId, botId }: OfBot,
  containerIds: readonly string[],
  active: boolean,
): Promise<void> {
  await trx('bot_numbers').where({ organizationId, botId }).delete()
  await rows(
    trx,
    `insert into bot_numbers (bot_id, container_id, organization_id, active, place)
     select :botId, g.id, :organizationId, :active, g.place
       from unnest(:containerIds::uuid[]) with ordinality as g(id, place)`,
    { organizationId, botId, containerIds: [...containerIds], active },
  )
}

/** Returns the first of these numbers on which another active assistant answers, with that assistant. */
export async function findOtherBot(
  trx: Db,
  { organizationId, botId }: OfBot,
  containerIds: readonly string[],
): Promise<{ containerId: string; botId: string } | undefined> {
  return firstRow<{ containerId: string; botId: string }>(
    trx,
    `select container_id, bot_id from bot_numbers
      where organization_id = :organizationId and active and bot_id <> :botId
        and container_id = any(:containerIds::uuid[])
      order by container_id limit 1`,
    { organizationId, botId, containerIds: [...containerIds] },
  )
}

/** Makes the numbers of an assistant answer, or stop answering. */
export async function setNumbersActive(trx: Db, { organizationId, botId }: OfBot, active: boolean): Promise<void> {
  await trx('bot_numbers').where({ organizationId, botId }).update({ active })
}

/** What the assistants of an organization did since a time. */
export interface BotCounts {
  readonly questions: number
  readonly answered: number
  readonly chosen: number
  readonly unanswered: number
  readonly handoffs: number
  readonly orders: number
}

/** Counts what the assistants of an organization did since a time. */
export async function countTurns(db: Db, organizationId: string, since: Date): Promise<BotCounts> {
  const [counted] = await rows<BotCounts>(
    db,
    `select count(*) as questions, count(*) filter (where kind = 'answer') as answered,
            count(*) filter (where kind = 'chosen') as chosen,
            count(*) filter (where kind in ('unknown', 'away', 'failed')) as unanswered,
            count(*) filter (where kind = 'handoff') as handoffs, count(*) filter (where kind = 'placed') as orders
       from bot_turns where organization_id = :organizationId and at >= :since`,
    { organizationId, since },
  )
  return counted ?? { questions: 0, answered: 0, chosen: 0, unanswered: 0, handoffs: 0, orders: 0 }
}
