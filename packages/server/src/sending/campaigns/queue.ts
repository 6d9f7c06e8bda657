import type { CampaignStatus } from '@msgctl/contract'
import { appendEvents } from '#events/append.ts'
import { type EventSubject, messageEvent } from '#events/message-event.ts'
import type { ChosenNumber } from '#numbers/send-group/select-number.ts'
import { toParts } from '#platform/concurrency/rounds.ts'
import { yielding } from '#platform/concurrency/yielding.ts'
import type { Clock } from '#platform/db/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { insertRejected, type RejectedMessage } from '#sending/messages/queue/campaign-store.ts'
import { enqueueTexts, lockLanesFor, type NewText, newNetworkId } from '#sending/messages/queue/enqueue.ts'
import { parseTemplate, type Template } from '#sending/messages/template.ts'
import { completeFinished } from './message-store.ts'
import { findOptedOut } from './recipient-store.ts'
import { type Recipient, renderFor } from './recipients.ts'
import { type CampaignRow, setStarted } from './store.ts'

/** Recipients of one part, whose texts and statements are built in one go. */
const partSize = 500

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
 * recipient opted out. Must come last in its transaction, because it appends events. Returns how many were queued.
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
  const planned = recipients.map((recipient, n): Planned => {
    const sender = senders[n]
    if (!sender) throw new Error('a recipient has no sender')
    return { ...recipient, sender, isOptedOut: optedOut.has(recipient.phone) }
  })
  await lockLanesFor(
    trx,
    clock,
    senders.map(({ containerId, pinned }) => ({ organizationId, containerId, pinned })),
  )
  const template = parseTemplate(campaign.template)
  const failed: EventSubject[] = []
  let queued = 0
  // In parts, so that others run in between, and so that not all texts are in memory at the same time.
  for (const part of toParts(planned, partSize)) {
    const { texts, rejected } = await render(campaign, template, part)
    if (texts.length > 0) await enqueueTexts(trx, clock, texts)
    queued += texts.length
    failed.push(...(await insertRejected(trx, organizationId, id, rejected)))
  }
  await reportFailed(trx, id, failed, clock.now())
  return queued
}

/** A recipient with the number that sends to it. */
interface Planned extends Recipient {
  readonly sender: ChosenNumber
  readonly isOptedOut: boolean
}

async function render(
  { id, organizationId, clientReference }: CampaignRow,
  template: Template,
  recipients: readonly Planned[],
): Promise<{ texts: NewText[]; rejected: RejectedMessage[] }> {
  const texts: NewText[] = []
  const rejected: RejectedMessage[] = []
  const pause = yielding()
  for (const recipient of recipients) {
    const { containerId, pinned } = recipient.sender
    const { text, failure: fault } = renderFor(template, recipient)
    const failure = recipient.isOptedOut ? 'RECIPIENT_OPTED_OUT' : fault
    const message = { recipient: recipient.phone, containerId }
    if (failure) {
      rejected.push({ ...message, code: failure, id: newId(), content: text, networkClientId: newNetworkId() })
    } else {
      const fixed = { type: 'bulk', priority: 'normal', clientReference } as const
      texts.push({ ...message, ...fixed, organizationId, campaignId: id, pinned, text })
    }
    await pause()
  }
  return { texts, rejected }
}

/** Completes the campaign if nothing is left to send, and appends the events. That of the completion is the last. */
async function reportFailed(trx: Db, id: string, failed: readonly EventSubject[], at: Date): Promise<void> {
  const append = (part: readonly EventSubject[]) =>
    appendEvents(
      trx,
      part.map((subject) => messageEvent('message.failed', subject, at)),
    )
  const parts = toParts(failed, partSize)
  for (const part of parts.slice(0, -1)) await append(part)
  await completeFinished(trx, id)
  await append(parts.at(-1) ?? [])
}
