import { appendEvents, type NewEvent } from '#events/append.ts'
import {
  findActive,
  findFewReplies,
  findOffNetwork,
  findStopped,
  type WatchedNumber,
  writeStopped,
  writeWarned,
} from '#numbers/guard/watch-store.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { removeUnsent } from '#sending/messages/queue/campaign-store.ts'
import type { Services } from '#services.ts'
import { transition } from './rules.ts'
import { lockCampaign, setPaused } from './store.ts'
import { findSendingThrough } from './watch-store.ts'

type Warning = Extract<(NewEvent & { event: 'number.warning' })['data']['reason'], 'off_network' | 'few_replies'>

const messages: Readonly<Record<Warning, string>> = {
  off_network:
    'More than 30 % of the last 50 recipients of this number are not on the network. Its campaigns are paused. ' +
    'Clean the list of recipients, then resume them.',
  few_replies:
    'None of the last 20 conversations that this number began got a reply. Write to people who expect it, or ' +
    'the network may restrict the number.',
}

/**
 * Stops the campaigns of numbers under guard that write to people who are not on the network, and warns about numbers
 * that get no replies. A job runs it every minute.
 */
export async function watchNumbers(services: Services): Promise<void> {
  if (services.config.guard.mode === 'off') return
  const active = await findActive(services.db)
  for (const number of await findOffNetwork(services.db, active)) await stop(services, number)
  for (const number of await findFewReplies(services.db, active)) await warn(services, number)
  for (const number of await findStopped(services.db)) await pauseCampaigns(services, number)
}

async function stop(services: Services, number: WatchedNumber): Promise<void> {
  const at = services.clock.now()
  await transaction(services.db, async (trx) => {
    if (await writeStopped(trx, number)) await appendEvents(trx, [warning(number, 'off_network', at)])
  })
}

async function warn(services: Services, number: WatchedNumber): Promise<void> {
  const at = services.clock.now()
  await transaction(services.db, async (trx) => {
    await writeWarned(trx, number)
    await appendEvents(trx, [warning(number, 'few_replies', at)])
  })
}

async function pauseCampaigns(services: Services, { organizationId, containerId }: WatchedNumber): Promise<void> {
  for (const id of await findSendingThrough(services.db, organizationId, containerId)) {
    await transaction(services.db, (trx) => pauseOne(trx, organizationId, id))
  }
}

async function pauseOne(trx: Db, organizationId: string, id: string): Promise<void> {
  const campaign = await lockCampaign(trx, organizationId, id)
  const ruling = campaign && transition(campaign.status, 'pause')
  if (ruling?.is !== 'state') return
  await setPaused(trx, organizationId, id, 'off_network')
  await removeUnsent(trx, organizationId, id)
}

function warning(number: WatchedNumber, reason: Warning, at: Date): NewEvent {
  const { organizationId, containerId, phoneNumber, instanceName } = number
  return {
    organizationId,
    event: 'number.warning',
    data: {
      reason,
      message: messages[reason],
      containerId,
      numberPhone: phoneNumber,
      session: instanceName,
      timestamp: at.toISOString(),
    },
  }
}
