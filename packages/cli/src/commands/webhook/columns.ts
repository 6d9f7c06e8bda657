import type { Column } from '../../output/columns.ts'

export const columns: readonly Column[] = [
  { field: 'webhookUrl', title: 'Address' },
  { field: 'signingSecret', title: 'Secret' },
]
