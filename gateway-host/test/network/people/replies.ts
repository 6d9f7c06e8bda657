import { photo, photoBytes, voiceBytes, voiceNote } from '@msgctl/server/networks/simulator/messages/answers'
import type { proto } from 'baileys'
import { uploadFromPhone } from '../files.ts'
import type { Network } from '../network.ts'
import { sendReceipt } from '../receipts.ts'
import type { Account, ShownMessage } from './accounts.ts'
import { type Reply, replyAfterMs } from './people.ts'
import { findPoll, voteForFirst } from './votes.ts'
import { write } from './writing.ts'

/** Lets a person react to a message: with receipts, and with a reply where the person sends one. */
export function react(
  network: Network,
  account: Account,
  shown: ShownMessage,
  arrived: { readonly from: string; readonly id: string },
): void {
  const { receipts, reply } = account.behavior
  for (const [type, afterMs] of receipts) network.later(afterMs, () => sendReceipt(network, account, arrived, type))
  if (!reply) return
  network.later(replyAfterMs, async () => {
    const message = await replyTo(network, account, shown, reply)
    if (message) await write(network, account.digits, shown.from, message)
  })
}

async function replyTo(
  network: Network,
  account: Account,
  shown: ShownMessage,
  reply: Reply,
): Promise<proto.IMessage | null> {
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
      return { locationMessage: { degreesLatitude: 38.8895, degreesLongitude: -77.0353 } }
    case 'voice':
      return uploadFromPhone(network, { ...voiceNote, bytes: voiceBytes })
    case 'photo':
      return uploadFromPhone(network, { ...photo, bytes: photoBytes })
  }
}
