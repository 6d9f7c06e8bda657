import type { CampaignStatus } from '@msgctl/contract'
import { v7 as newId } from 'uuid'
import type { Clock } from '../db/clock.ts'
import type { Db } from '../db/db.ts'
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

/** What a campaign is sent to now, and through which numbers: `carriers` has one for each recipient. */
interface Load {
  /** The state it is in from now on. */
  readonly status: CampaignStatus
  readonly recipients: readonly Recipient[]
  readonly senders: readonly ChosenNumber[]
  /** The number it is bound to from now on; null when the service chooses. */
  readonly containerId: string | null
}

/**
 * Makes a locked campaign send: one message for each recipient, queued, or failed where its text cannot be a message or
 * the recipient opted out. It is the end of its transaction, because it appends events. Answers how many were queued; signal `lanes`, `events` and
 * `deliveries` after the commit.
 */
export async function queueCampaign(
  trx: Db,
  clock: Clock,
  campaign: CampaignRow,
  { status, recipients, senders, containerId }: Load,
): Promise<number> {
  const { id, organizationId } = campaign
  await setStarted(trx, organizationId, id, { status, containerId })
  const unwilling = await findOptedOut(trx, organizationId, recipients)
  const template = parseTemplate(campaign.template)
  const texts: NewText[] = []
  const rejected: RejectedMessage[] = []
  for (const [n, recipient] of recipients.entries()) {
    const carrier = senders[n]
    if (!carrier) throw new Error('each recipient has a number')
    const { text, failure: fault } = renderFor(template, recipient)
    const failure = unwilling.has(recipient.phone) ? 'RECIPIENT_OPTED_OUT' : fault
    const message = { recipient: recipient.phone, containerId: carrier.containerId }
    if (failure) {
      rejected.push({ ...message, code: failure, id: newId(), content: text, networkClientId: newNetworkId() })
    } else {
      const { pinned } = carrier
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
