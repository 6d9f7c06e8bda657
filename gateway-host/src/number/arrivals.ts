import type { NetAddress } from '@msgctl/network/gateway'
import { jidNormalizedUser, proto } from 'baileys'
import type { StagedEvent, Translator } from '../engine/engine.ts'
import { type ArrivalContext, arrivalEvents, withheldEvents } from '../translate/arrival.ts'
import type { NetworkEvent } from '../translate/network-event.ts'
import type { Attributes } from '../translate/person.ts'
import type { Vault } from '../vault/vault.ts'
import type { ChatTimers } from './chat-timers.ts'
import { findOther } from './lid-pairs.ts'
import { MessageSecrets } from './message-secrets.ts'

/** Returns what makes an event come once. A client chooses the ids of its messages, so they are not one person's. */
function eventIdOf(event: NetworkEvent): string | null {
  switch (event.kind) {
    case 'message.in':
      return `in/${chatOf(event.message)}/${event.message.networkId}`
    case 'message.out':
      return `out/${event.networkId}`
    case 'poll.vote':
      return `vote/${event.voteNetworkId}`
    default:
      return null
  }
}

function chatOf({ groupId, from }: { readonly groupId?: string; readonly from: NetAddress }): string {
  return groupId ?? (from.kind === 'lid' ? from.id : from.digits)
}

/** How many stanzas without content are remembered. The phone responds within seconds, or when it comes online. */
const mostWithheld = 1000

/**
 * Stages keys of the application state together with the ratchet of their message. The library stores them once more,
 * but only after its receipt has left: a process that dies in between would never be given them again.
 */
async function keepStateKeys(vault: Vault, keys: readonly proto.Message.IAppStateSyncKey[]): Promise<void> {
  for (const { keyId, keyData } of keys) {
    if (!keyId?.keyId || !keyData) continue
    const id = Buffer.from(keyId.keyId).toString('base64')
    await vault.keys.set({ 'app-state-sync-key': { [id]: keyData } })
    vault.creds.myAppStateKeyId = id
    vault.stageCreds()
  }
}

/** Returns the translation of what arrives for a number. */
export function translatorOf(vault: Vault, timers: ChatTimers): Translator {
  const withheld = new Map<string, Attributes>()
  const secrets = new MessageSecrets(vault)
  const context = (): ArrivalContext => {
    const me = [vault.creds.me?.id, vault.creds.me?.lid].flatMap((jid) => jid ?? [])
    const findSent = async (id: string) => {
      const sent = await vault.findSent(id)
      return sent && proto.Message.decode(sent.message)
    }
    return {
      me,
      findSent,
      async findSecret(id) {
        // What this device sent was not received, also when a person uses the same id.
        const sent = await findSent(id)
        if (!sent) return secrets.find(id)
        const secret = sent.messageContextInfo?.messageSecret
        return secret ? { secret, authors: me.map(jidNormalizedUser) } : null
      },
      keepSecret: (id, secret) => secrets.keep(id, secret),
      keepStateKeys: (keys) => keepStateKeys(vault, keys),
      noteTimer: (addresses, seconds) => timers.note(addresses, seconds),
      findWithheld: (id) => withheld.get(id),
      findOther: (jid) => findOther(vault, jid),
    }
  }
  return {
    async arrival(attrs, plain): Promise<StagedEvent[]> {
      const events = await arrivalEvents({ attrs, plain }, context())
      return events.map((body) => ({ eventId: eventIdOf(body), body }))
    },
    withheld(attrs): StagedEvent[] {
      const [oldest] = withheld.keys()
      if (withheld.size >= mostWithheld && oldest !== undefined) withheld.delete(oldest)
      if (attrs.id !== undefined) withheld.set(attrs.id, attrs)
      const events = withheldEvents(attrs, context().me)
      // The event of its content has the id of a message.
      return events.map((body) => ({
        eventId: body.kind === 'message.in' ? `withheld/${eventIdOf(body)}` : null,
        body,
      }))
    },
  }
}
