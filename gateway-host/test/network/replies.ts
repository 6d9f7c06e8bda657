import type { proto } from 'baileys'
import type { Account, ShownMessage } from './accounts.ts'
import type { Network } from './network.ts'
import type { Reply } from './people.ts'
import { sendReceipt } from './receipts.ts'
import { findPoll, voteForFirst } from './votes.ts'
import { write } from './writing.ts'

const replyAfterMs = 60

/** Lets a person react to a message: with receipts, and with a reply where the person sends one. */
export function react(
  network: Network,
  account: Account,
  shown: ShownMessage,
  arrived: { readonly from: string; readonly id: string },
): void {
  const { receipts, reply } = account.behavior
  for (const [type, afterMs] of receipts) network.later(afterMs, () => sendReceipt(network, account, arrived, type))
  const message = reply && replyTo(network, account, shown, reply)
  if (message) network.later(replyAfterMs, () => write(network, account.digits, shown.from, message))
}

const file = { fileLength: 900, mediaKey: Buffer.alloc(32), url: 'https://localhost/x', directPath: '/x' }

function replyTo(network: Network, account: Account, shown: ShownMessage, reply: Reply): proto.IMessage | null {
  switch (reply) {
    case 'echo':
      return { conversation: shown.message.conversation ?? shown.message.extendedTextMessage?.text ?? 'echo' }
    case 'stop':
      return { conversation: 'STOP' }
    case 'one':
      return { conversation: '1' }
    case 'vote':
      return findPoll(shown.message) ? voteForFirst(network.accounts.get(shown.from), account, shown) : null
    case 'location':
      return { locationMessage: { degreesLatitude: 38.9, degreesLongitude: -77.03, name: 'Here' } }
    case 'voice':
      return { audioMessage: { ...file, ptt: true, mimetype: 'audio/ogg; codecs=opus', seconds: 2 } }
    case 'photo':
      return { imageMessage: { ...file, mimetype: 'image/jpeg' } }
  }
}
