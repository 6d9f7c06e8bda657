import { proto } from 'baileys'
import type { StagedEvent, Translator } from '../engine/engine.ts'
import { arrivalEvents } from '../translate/arrival.ts'
import type { NetworkEvent } from '../translate/network-event.ts'
import type { Vault } from '../vault/vault.ts'

/** Returns what makes an event come once. */
function eventIdOf(event: NetworkEvent): string | null {
  switch (event.kind) {
    case 'message.in':
      return `in/${event.message.networkId}`
    case 'message.out':
      return `out/${event.networkId}`
    case 'poll.vote':
      return `vote/${event.voteNetworkId}`
    default:
      return null
  }
}

/** Returns the translation of what arrives for a number. */
export function translatorOf(vault: Vault): Translator {
  return {
    async arrival(attrs, plain): Promise<StagedEvent[]> {
      const { me } = vault.creds
      const events = await arrivalEvents(
        { attrs, plain },
        {
          me: [me?.id, me?.lid].flatMap((jid) => jid ?? []),
          async findSent(id) {
            const sent = await vault.findSent(id)
            return sent && proto.Message.decode(sent.message)
          },
        },
      )
      return events.map((body) => ({ eventId: eventIdOf(body), body }))
    },
  }
}
