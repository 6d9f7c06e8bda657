import type { GatewaySession, NetAddress } from '@msgctl/network/gateway'
import type { Pool } from 'pg'
import type { HistoryMessage } from '../engine/engine.ts'
import { contentOf } from '../translate/inbound-content.ts'
import { addressOf, isPerson, jidOf } from '../translate/person.ts'
import type { Vault } from '../vault/vault.ts'
import { findDigits } from './lid-pairs.ts'

/**
 * Stores what a phone shared. Messages that show people nothing are left out. Chats under hidden ids of which the
 * number is known now are stored under the number, including those of earlier parts of the history.
 */
export async function storeHistory(pool: Pool, vault: Vault, messages: readonly HistoryMessage[]): Promise<void> {
  const found = messages.flatMap(({ chat, networkId, at, fromMe, message }) => {
    const content = isPerson(chat) ? contentOf(message) : null
    if (!content || content.isQuiet) return []
    const direction = fromMe ? 'out' : 'in'
    return [{ chat, networkId, at, body: { direction, type: content.type, text: storable(content.text) } }]
  })
  if (found.length === 0) return
  await pool.query(
    `insert into gateway_history (container_id, chat, network_id, body, at)
     select s.container_id, m.chat, m.network_id, m.body, m.at
       from unnest($3::text[], $4::text[], $5::jsonb[], $6::timestamptz[]) as m(chat, network_id, body, at),
            gateway_sessions s where s.container_id = $1 and s.epoch = $2
     on conflict do nothing`,
    [
      vault.containerId,
      vault.epoch,
      found.map(({ chat }) => chat),
      found.map(({ networkId }) => networkId),
      found.map(({ body }) => JSON.stringify(body)),
      found.map(({ at }) => at),
    ],
  )
  await nameByNumber(pool, vault)
}

/** Returns a text without what Postgres refuses in JSON: NUL and lone surrogates. */
function storable(text: string): string {
  return text.replaceAll(/[\0\p{Surrogate}]/gu, '\ufffd')
}

/** Moves the chats that are stored under hidden ids to the numbers of these people. */
async function nameByNumber(pool: Pool, vault: Vault): Promise<void> {
  const { rows } = await pool.query<{ chat: string }>(
    `select distinct chat from gateway_history where container_id = $1 and chat like '%@lid'`,
    [vault.containerId],
  )
  const digits = await findDigits(
    vault,
    rows.map(({ chat }) => chat),
  )
  if (digits.size === 0) return
  await pool.query(
    `with moved as (
       delete from gateway_history h
        using unnest($3::text[], $4::text[]) as known(lid, chat), gateway_sessions s
        where s.container_id = $1 and s.epoch = $2 and h.container_id = $1 and h.chat = known.lid
       returning known.chat, h.network_id, h.body, h.at
     )
     insert into gateway_history (container_id, chat, network_id, body, at)
     select $1, chat, network_id, body, at from moved on conflict do nothing`,
    [vault.containerId, vault.epoch, [...digits.keys()], [...digits.values()]],
  )
}

/** Returns the chats that the phone shared, the latest first. */
export async function listChats(pool: Pool, session: Pick<GatewaySession, 'containerId'>, limit: number) {
  const { rows } = await pool.query<{ chat: string; lastAt: Date }>(
    `select chat, max(at) as "lastAt" from gateway_history where container_id = $1 group by chat order by 2 desc
      limit $2`,
    [session.containerId, limit],
  )
  return rows.map(({ chat, lastAt }) => ({ address: addressOf(chat), name: '', lastAt: lastAt.toISOString() }))
}

/** Returns the last messages of a chat that the phone shared, the oldest first. */
export async function listMessages(
  pool: Pool,
  session: Pick<GatewaySession, 'containerId'>,
  chat: NetAddress,
  limit: number,
) {
  const { rows } = await pool.query<{ networkId: string; at: Date; body: object }>(
    `select * from (
       select network_id as "networkId", at, body from gateway_history where container_id = $1 and chat = $2
        order by at desc, network_id desc limit $3
     ) latest order by at, "networkId"`,
    [session.containerId, jidOf(chat), limit],
  )
  return rows.map(({ networkId, at, body }) => ({ ...body, networkId, chat, at: at.toISOString() }))
}
