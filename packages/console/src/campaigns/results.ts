import type { CampaignRecipient, CampaignsGetOutput } from '@msgctl/client'
import { csvCell } from '@msgctl/contract/csv'
import { api } from '../api/client.ts'
import type { Sheet } from './columns.ts'

const pageSize = 100

/** Saves a text as a file of the browser. */
function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

async function readRecipients(input: Parameters<typeof api.campaigns.recipients>[0]): Promise<CampaignRecipient[]> {
  const found: CampaignRecipient[] = []
  for await (const recipient of api.campaigns.recipients.all({ ...input, limit: pageSize })) found.push(recipient)
  return found
}

function columnsOf(recipients: readonly CampaignRecipient[]): string[] {
  return [...new Set(recipients.flatMap(({ variables }) => Object.keys(variables)))]
}

/** Saves every recipient with its state, its times and its values as a CSV file. */
export async function saveResults({ id, name }: CampaignsGetOutput): Promise<void> {
  const recipients = await readRecipients({ id })
  const columns = columnsOf(recipients)
  const lines = [
    ['phone', 'status', 'error', 'sentAt', 'deliveredAt', 'readAt', ...columns],
    ...recipients.map(({ phone, status, error, sentAt, deliveredAt, readAt, variables }) => [
      phone,
      status,
      error ?? '',
      sentAt ?? '',
      deliveredAt ?? '',
      readAt ?? '',
      ...columns.map((column) => variables[column] ?? ''),
    ]),
  ]
  saveFile(`${name}.csv`, 'text/csv', `${lines.map((line) => line.map(csvCell).join(',')).join('\r\n')}\r\n`)
}

/** The start of a new campaign, kept until its page opens. */
interface CampaignStart {
  readonly name: string
  readonly template: string
  readonly sheet: Sheet
}

let next: CampaignStart | null = null

/** Puts the failed recipients of a campaign into the start of the next one. */
export async function saveFailedForNew({ id, name, template }: CampaignsGetOutput): Promise<void> {
  const failed = await readRecipients({ id, status: 'failed' })
  const columns = columnsOf(failed)
  const rows = failed.map(({ phone, variables }) => [`+${phone}`, ...columns.map((column) => variables[column] ?? '')])
  next = { name: `${name} 2`, template, sheet: { name, columns: ['phone', ...columns], rows } }
}

/** Returns the start that another page left, once. */
export function takeStart(): CampaignStart | null {
  const start = next
  next = null
  return start
}
