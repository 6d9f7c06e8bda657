import type { CampaignStatus } from '@msgctl/contract'
import type { Clock } from '../db/clock.ts'
import type { Db } from '../db/db.ts'
import { newId } from '../db/new-id.ts'
import { appendEvents } from '../events/append.ts'
import { messageEvent } from '../events/message-event.ts'
import { insertRejected, type RejectedMessage } from '../messages/queue/campaign-store.ts'
import { enqueueTexts, type NewText, newNetworkId } from '../messages/queue/enqueue.ts'
import { parseTemplate } from '../messages/template.ts'
import type { ChosenNumber } from '../numbers/send-group/select-number.ts'
import { completeFinished } from './message-store.ts'
import { findOptedOut } from './recipient-store.ts'
import { type Recipient, renderFor } from './recipients.ts'
import { type CampaignRow, setStarted } from './store.ts'

/** The recipients of a start or resume, and the number for each of them in `senders`. */
interface Load {
  /** The new state of the campaign. */
  readonly status: CampaignStatus
  readonly recipients: readonly Recipient[]
  readonly senders: readonly ChosenNumber[]
  /** The number that the campaign is bound to; null when the service chooses. */
  readonly containerId: string | null
}

/**
 * Queues one message for each recipient of a locked campaign. A message fails at once when its text is not valid or the
 * recipient opted out. Must come last in its transaction, because it appends events. Returns how many were queued. Signal
 * `lanes`, `events` and `deliveries` after the commit.
 */
export async function queueCampaign(
  trx: Db,
  clock: Clock,
  campaign: CampaignRow,
  { status, recipients, senders, containerId }: Load,
): Promise<number> {
  const { id, organizationId } = campaign
  await setStarted(trx, organizationId, id, { status, containerId })
  const optedOut = await findOptedOut(trx, organizationId, recipients)
  const template = parseTemplate(campaign.template)
  const texts: NewText[] = []
  const rejected: RejectedMessage[] = []
  for (const [n, recipient] of recipients.entries()) {
    const sender = senders[n]
    if (!sender) throw new Error('a recipient has no sender')
    const { text, failure: fault } = renderFor(template, recipient)
    const failure = optedOut.has(recipient.phone) ? 'RECIPIENT_OPTED_OUT' : fault
    const message = { recipient: recipient.phone, containerId: sender.containerId }
    if (failure) {
      rejected.push({ ...message, code: failure, id: newId(), content: text, networkClientId: newNetworkId() })
    } else {
      const { pinned } = sender
      const fixed = { type: 'bulk', priority: 'normal', clientReference: null } as const
      texts.push({ ...message, ...fixed, organizationId, campaignId: id, pinned, text })
    }
  }
  if (texts.length > 0) await enqueueTexts(trx, clock, texts)
  const failed = await insertRejected(trx, organizationId, id, rejected)
  await completeFinished(trx, id)
  const at = clock.now()
  await appendEvents(
    trx,
    failed.map((subject) => messageEvent('message.failed', subject, at)),
  )
  return texts.length
}
