import type { Column } from '../../output/columns.ts'

export interface KeyOptions {
  readonly number?: string
}

export const numberOption = ['--number <number>', 'select the key of this number: id, label or phone'] as const

export const columns: readonly Column[] = [
  { field: 'apiKey', title: 'Key' },
  { field: 'label', title: 'Number' },
  { field: 'containerId', title: 'Number id' },
  { field: 'warning', title: 'Warning' },
]

export const accountColumns = columns.filter(({ field }) => field === 'apiKey' || field === 'warning')
