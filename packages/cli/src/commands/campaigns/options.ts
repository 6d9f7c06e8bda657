import { defineColumns } from '../../output/columns.ts'

export const columns = defineColumns(
  'id as Campaign, status',
  { field: 'name', title: 'Name', long: true },
  'stats.total as Recipients, stats.sent',
  { field: 'stats.delivered', title: 'Delivered', spare: true },
  'stats.read, stats.failed, scheduledAt as Scheduled',
)

export interface Through {
  readonly from?: string
}

export const example = '0190c1d2-7a3b-7c4d-8e5f-60718293a4b5'

export const fromOption = ['--from <number>', 'send only through this number: id, label or phone'] as const
