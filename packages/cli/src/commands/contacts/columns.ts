import type { Column } from '../../output/columns.ts'

export const columns: readonly Column[] = [
  { field: 'name', title: 'Name' },
  { field: 'phone', title: 'Phone' },
  { field: 'lid', title: 'Network id' },
  { field: 'saved', title: 'Saved' },
  { field: 'optedOut', title: 'Opted out' },
  { field: 'id', title: 'Contact' },
]
