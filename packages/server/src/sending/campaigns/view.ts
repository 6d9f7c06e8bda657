import type { Contract, Output } from '@msgctl/contract'
import type { CountedCampaign } from './store.ts'

type CampaignRecord = Output<Contract['campaigns']['list']>['campaigns'][number]

/** Returns a campaign as the API shows it. */
export function campaignView(row: CountedCampaign): CampaignRecord {
  return {
    id: row.id,
    name: row.name,
    template: row.template,
    status: row.status,
    stats: { total: row.total, sent: row.sent, delivered: row.delivered, failed: row.failed, read: row.read },
    scheduledAt: iso(row.scheduledAt),
    createdAt: row.createdAt.toISOString(),
    startError: row.startError,
    anyHour: row.anyHour,
    pauseReason: row.pauseReason,
    clientReference: row.clientReference,
  }
}

/** Formats a time for the API. */
export function iso(at: Date | null): string | null {
  return at?.toISOString() ?? null
}
