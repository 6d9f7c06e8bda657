import type { Column } from '../../output/columns.ts'

export const columns: readonly Column[] = [
  { field: 'webhookUrl', title: 'URL' },
  { field: 'signingSecret', title: 'Secret' },
]
