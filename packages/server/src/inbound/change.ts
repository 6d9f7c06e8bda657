import { recountChats } from '../chats/message-store.ts'
import { type Db, transaction } from '../db/db.ts'
import { cleanId, cleanText } from '../gateway/clean.ts'
import type { GatewayEvent } from '../gateway/gateway.ts'
import { applyNetworkChanges, type NetworkChange } from '../messages/change-store.ts'
import type { Services } from '../services.ts'
import { changeChats, dropStaleChanges, keepChanges, takeChanges } from './change-store.ts'

type Changed = Extract<GatewayEvent, { kind: 'message.edited' | 'message.revoked' }>
type MessageId = Pick<NetworkChange, 'containerId' | 'networkId'>

/** Applies edits and deletes that were made on a phone; one whose message is not known yet waits for it. */
export async function receiveChanges({ db }: Pick<Services, 'db'>, events: readonly Changed[]): Promise<void> {
  if (events.length === 0) return
  const changes = events.map(
    (event): NetworkChange => ({
      containerId: event.containerId,
      networkId: cleanId(event.networkId),
      kind: event.kind === 'message.edited' ? 'edited' : 'revoked',
      text: event.kind === 'message.edited' ? cleanText(event.text) : null,
      at: event.at,
    }),
  )
  await keepChanges(db, changes)
  await applyEarlyChanges({ db }, changes)
}

/** Applies changes that waited for these messages, or for any that are known by now. */
export async function applyEarlyChanges({ db }: Pick<Services, 'db'>, ids: readonly MessageId[] | null): Promise<void> {
  await transaction(db, async (trx) => {
    const changes = await takeChanges(trx, ids)
    if (changes.length === 0) return
    await applyNetworkChanges(trx, changes)
    await repairChats(trx, await changeChats(trx, changes))
  })
}

/** The sweep of the periodic job: what came before its message, and what waited in vain. */
export async function sweepChanges({ db }: Pick<Services, 'db'>): Promise<void> {
  await applyEarlyChanges({ db }, null)
  await dropStaleChanges(db)
}

type Withdrawn = Awaited<ReturnType<typeof changeChats>>[number]

async function repairChats(trx: Db, withdrawn: readonly Withdrawn[]): Promise<void> {
  const inChats = withdrawn.filter(({ contactId }) => contactId !== null)
  for (const organizationId of [...new Set(inChats.map((one) => one.organizationId))].sort()) {
    const theirs = inChats.filter((one) => one.organizationId === organizationId)
    await recountChats(trx, organizationId, theirs)
  }
}
