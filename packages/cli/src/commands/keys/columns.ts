import { defineColumns } from '../../output/columns.ts'

export interface KeyOptions {
  readonly number?: string
}

export const numberOption = ['--number <number>', 'select the key of this number: id, label or phone'] as const

export const columns = defineColumns('apiKey as Key, label as Number, containerId as Number id, warning')

export const accountColumns = columns.filter(({ field }) => field === 'apiKey' || field === 'warning')
