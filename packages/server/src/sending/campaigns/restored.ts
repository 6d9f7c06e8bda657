import type { Db } from '#platform/db/db.ts'
import { removeUnsent } from '#sending/messages/queue/campaign-store.ts'
import { findSending, findStarting } from './restore-store.ts'
import { transition } from './rules.ts'
import { putBack } from './scheduled-store.ts'
import { lockCampaign, setStatus } from './store.ts'

/**
 * Stops the campaigns of a restored database, of all organizations: those that send are paused, those whose start time
 * is reached become drafts. Nothing reports it: people decide about each.
 */
export async function stopRestoredCampaigns(trx: Db): Promise<{ paused: number; drafts: number }> {
  const sending = await findSending(trx)
  for (const { organizationId, id } of sending) {
    const campaign = await lockCampaign(trx, organizationId, id)
    const ruling = campaign && transition(campaign.status, 'pause')
    if (ruling?.is !== 'state') continue
    await setStatus(trx, organizationId, id, ruling.to)
    await removeUnsent(trx, organizationId, id)
  }
  const starting = await findStarting(trx)
  for (const campaign of starting) await putBack(trx, campaign, { status: 'draft', startError: null })
  return { paused: sending.length, drafts: starting.length }
}
