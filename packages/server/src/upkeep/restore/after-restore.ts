import { rereadPayments } from '#billing/restored.ts'
import { appendEvents } from '#events/append.ts'
import { skipPositions } from '#events/restore-store.ts'
import { dropPending } from '#events/webhook/delivery/restore-store.ts'
import { setAsideWaiting } from '#networks/gateway/inbox/store.ts'
import { closeHeldLanes, pinWaiting, requeueClaimed } from '#numbers/lanes/restore-store.ts'
import { type HeldQueue, holdWaitingQueues } from '#numbers/restore-store.ts'
import { endRestoredAccess } from '#people/auth/restored.ts'
import { Refusal } from '#people/organizations/refusal.ts'
import { type Db, liftTimeLimit, transaction } from '#platform/db/db.ts'
import { isRestored, recordIdentity } from '#platform/db/identity.ts'
import { giveUpMails } from '#platform/mail/store.ts'
import { stopRestoredCampaigns } from '#sending/campaigns/restored.ts'
import { expireOpenOtps } from '#sending/otp/store.ts'
import { skipDueReminders } from '#sending/reminders/restored.ts'

/** What the answer of the operator changed. */
export interface RestoreAnswer {
  /** False: the database was only recorded as that of the service. */
  readonly stopped: boolean
  readonly queuesHeld: number
  readonly messagesHeld: number
  /** The numbers whose queues are held, by organization. */
  readonly held: readonly HeldQueue[]
  readonly campaignsPaused: number
  readonly campaignsMadeDrafts: number
  readonly remindersSkipped: number
  readonly deliveriesDropped: number
  readonly mailsGivenUp: number
  readonly codesExpired: number
  readonly sessionsEnded: number
  readonly aiConnectionsEnded: number
  readonly reportsSetAside: number
}

/** The answer of the operator. */
export interface RestoreOptions {
  /** Nothing happened since the backup: everything stays due. */
  readonly nothingLost: boolean
  /** Also for a database that does not look restored, such as that of a disk snapshot. */
  readonly force: boolean
}

const nothing = {
  queuesHeld: 0,
  messagesHeld: 0,
  held: [],
  campaignsPaused: 0,
  campaignsMadeDrafts: 0,
  remindersSkipped: 0,
  deliveriesDropped: 0,
  mailsGivenUp: 0,
  codesExpired: 0,
  sessionsEnded: 0,
  aiConnectionsEnded: 0,
  reportsSetAside: 0,
} as const

/**
 * Makes a restored database safe to serve: whatever it held ready to send stops until a person decides, in one
 * transaction. Throws a {@link Refusal} for a database that does not look restored, unless forced.
 */
export async function answerRestore(db: Db, { nothingLost, force }: RestoreOptions): Promise<RestoreAnswer> {
  return transaction(db, async (trx) => {
    // The queues of all organizations may take longer than any ordinary statement.
    await liftTimeLimit(trx)
    if (!force && !(await isRestored(trx))) {
      throw new Refusal(
        'This database does not look restored, so nothing was changed. After a restore from a snapshot of its ' +
          'disk, add --force.',
      )
    }
    await recordIdentity(trx)
    if (nothingLost) return { stopped: false, ...nothing }
    return { stopped: true, ...(await stopEverything(trx)) }
  })
}

async function stopEverything(trx: Db): Promise<Omit<RestoreAnswer, 'stopped'>> {
  // First the claims: nothing that the backup was sending may stay outside of the held queues.
  await requeueClaimed(trx)
  // Then the campaigns: pausing one removes its messages from the queues.
  const campaigns = await stopRestoredCampaigns(trx)
  const held = await holdWaitingQueues(trx)
  await pinWaiting(trx)
  await closeHeldLanes(trx)
  await skipPositions(trx)
  const stopped = {
    queuesHeld: held.length,
    messagesHeld: held.reduce((sum, { messages }) => sum + messages, 0),
    held,
    campaignsPaused: campaigns.paused,
    campaignsMadeDrafts: campaigns.drafts,
    remindersSkipped: await skipDueReminders(trx),
    deliveriesDropped: await dropPending(trx),
    mailsGivenUp: await giveUpMails(trx),
    codesExpired: await expireOpenOtps(trx),
    ...(await endRestoredAccess(trx)),
    reportsSetAside: await setAsideWaiting(trx),
  }
  await rereadPayments(trx)
  await reportHeld(trx, held)
  return stopped
}

/** Reports to each organization that it has to decide about its held queues, as the last statement. */
async function reportHeld(trx: Db, held: readonly HeldQueue[]): Promise<void> {
  await appendEvents(
    trx,
    held.map(
      ({
        organizationId,
        containerId,
        phoneNumber: numberPhone,
        instanceName: session,
        messages,
        oldestAt,
        heldAt,
      }) => ({
        organizationId,
        event: 'number.warning',
        data: {
          reason: 'queue_held',
          message:
            `The service was restored from a backup. Messages that were queued are held: ${messages}, the oldest ` +
            `of ${oldestAt.toISOString()}. New texts are refused. Release the queue of this number: send the ` +
            'messages or discard them.',
          containerId,
          numberPhone,
          session,
          timestamp: heldAt.toISOString(),
        },
      }),
    ),
  )
}
