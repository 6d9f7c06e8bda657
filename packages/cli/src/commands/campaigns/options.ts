import type { Column } from '../../output/columns.ts'

export const columns: readonly Column[] = [
  { field: 'id', title: 'Campaign' },
  { field: 'status', title: 'Status' },
  { field: 'name', title: 'Name', long: true },
  { field: 'stats.total', title: 'Recipients' },
  { field: 'stats.sent', title: 'Sent' },
  { field: 'stats.delivered', title: 'Delivered', spare: true },
  { field: 'stats.read', title: 'Read' },
  { field: 'stats.failed', title: 'Failed' },
  { field: 'scheduledAt', title: 'Scheduled' },
]

export interface Through {
  readonly from?: string
}

export const example = '0190c1d2-7a3b-7c4d-8e5f-60718293a4b5'

export const fromOption = ['--from <number>', 'send only through this number: id, label or phone'] as const
