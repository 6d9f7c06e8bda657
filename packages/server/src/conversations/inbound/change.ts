import type { ChangeAuthor, GatewayEvent } from '@msgctl/network/gateway'
import {
  editChatMessages,
  type MessageChange,
  type RevokedInChat,
  replaceFiles,
  revokeChatMessages,
} from '#conversations/records/change-store.ts'
import { recountChats } from '#conversations/records/message-store.ts'
import { cleanId, cleanJson, cleanText } from '#networks/gateway/clean.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { applyNetworkChanges } from '#sending/messages/change-store.ts'
import type { Services } from '#services.ts'
import { toContactAddress, toFile } from './arrival.ts'
import { deleteStaleChanges, insertPendingChanges, takePendingChanges } from './change-store.ts'

type ChangeEvent = Extract<GatewayEvent, { kind: 'message.edited' | 'message.revoked' }>
type FileEvent = Extract<GatewayEvent, { kind: 'message.file' }>
type MessageId = Pick<MessageChange, 'containerId' | 'networkId'>

/** Applies edits and deletions made on a phone. A change whose message is not known yet waits for it. */
export async function receiveChanges({ db }: Pick<Services, 'db'>, events: readonly ChangeEvent[]): Promise<void> {
  if (events.length === 0) return
  const changes = events.map(
    (event): MessageChange => ({
      containerId: event.containerId,
      networkId: cleanId(event.networkId),
      kind: event.kind === 'message.edited' ? 'edited' : 'revoked',
      text: event.kind === 'message.edited' ? cleanText(event.text) : null,
      authors: event.by === undefined ? null : authorsOf(event.by),
      at: event.at,
    }),
  )
  for (const round of roundsOf(changes)) {
    await insertPendingChanges(db, round)
    await applyPendingChanges({ db }, round)
  }
}

function authorsOf(by: ChangeAuthor): string[] {
  return by === 'account' ? [] : by.map(toContactAddress)
}

/** Parts changes so that each message is changed by one author at a time: the change of another one takes no place. */
function roundsOf(changes: readonly MessageChange[]): MessageChange[][] {
  const rounds: { readonly authors: Map<string, string>; readonly changes: MessageChange[] }[] = []
  for (const change of changes) {
    const key = `${change.containerId} ${change.networkId}`
    const author = JSON.stringify(change.authors)
    let round = rounds.find(({ authors }) => (authors.get(key) ?? author) === author)
    if (!round) {
      round = { authors: new Map(), changes: [] }
      rounds.push(round)
    }
    round.authors.set(key, author)
    round.changes.push(change)
  }
  return rounds.map((round) => round.changes)
}

/** Applies the pending changes of these messages, or with null of all messages that are known by now. */
export async function applyPendingChanges(
  { db }: Pick<Services, 'db'>,
  ids: readonly MessageId[] | null,
): Promise<void> {
  await transaction(db, async (trx) => {
    const changes = await takePendingChanges(trx, ids)
    if (changes.length === 0) return
    await applyNetworkChanges(trx, changes)
    await editChatMessages(trx, changes)
    await recountRevoked(trx, await revokeChatMessages(trx, changes))
  })
}

/** Replaces the small files of photos and videos by those in high definition, which come after them. */
export async function receiveFiles({ db }: Pick<Services, 'db'>, events: readonly FileEvent[]): Promise<void> {
  if (events.length === 0) return
  const files = events.map(({ containerId, networkId, from, media, raw }) => ({
    containerId,
    networkId: cleanId(networkId),
    address: toContactAddress(from),
    file: toFile(media),
    networkRef: cleanJson(raw),
  }))
  await replaceFiles(db, files)
}

/** The periodic job: applies changes that arrived before their message, and deletes those that waited too long. */
export async function sweepChanges({ db }: Pick<Services, 'db'>): Promise<void> {
  await applyPendingChanges({ db }, null)
  await deleteStaleChanges(db)
}

async function recountRevoked(trx: Db, revoked: readonly RevokedInChat[]): Promise<void> {
  // A message of a group belongs to no chat.
  const inChats = revoked.filter(({ contactId }) => contactId !== null)
  for (const organizationId of [...new Set(inChats.map((one) => one.organizationId))].sort()) {
    await recountChats(
      trx,
      organizationId,
      inChats.filter((one) => one.organizationId === organizationId),
    )
  }
}
