// Sends one text to all recipients in a CSV file: column `phone`; the other columns fill the placeholders of the
// template. Key and address come from MSG_API_KEY and MSG_BASE_URL.
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { isMessagingError, MessagingClient } from '@msgctl/client'
import { parse } from 'csv-parse/sync'

const [file, template = 'Hello {{name}}, see you at {{time}}.'] = process.argv.slice(2)
if (!file) throw new Error('Usage: node campaign-from-csv.mjs people.csv ["Hello {{name}}"]')

const rows = parse(readFileSync(file), { columns: true, trim: true, skip_empty_lines: true, bom: true })
const recipients = rows.map(({ phone, ...variables }) => ({ phone, variables }))
const client = new MessagingClient()

try {
  const { campaign } = await client.campaigns.create({ name: `From ${file}`, template, recipients })
  await client.campaigns.send({ id: campaign.id })
  for (;;) {
    const { status, stats } = await client.campaigns.status({ id: campaign.id })
    console.log(status, stats)
    if (status === 'completed' || status === 'cancelled') break
    await pause(1_000)
  }
  for await (const recipient of client.campaigns.recipients.all({ id: campaign.id })) {
    console.log(recipient.phone, recipient.status)
  }
} catch (error) {
  if (!isMessagingError(error, 'VALIDATION_ERROR')) throw error
  // The error of a row is named like `recipients.3.phone`: the fourth row below the heading.
  for (const { field, message } of error.issues ?? []) console.error(`${field}: ${message}`)
  process.exitCode = 1
}
