import type { Context } from '../../context.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { controlSimulator } from './control.ts'

const columns = defineColumns('createdAt as At, to, subject', { field: 'link', title: 'Link', long: true })

/** A mail of the local outbox, as GET /sim/mail returns it. */
interface KeptMail {
  readonly text: string
}

async function mail(context: Context, { to, limit }: { readonly to?: string; readonly limit?: string }): Promise<void> {
  const query = { to, limit }
  const { mails } = (await controlSimulator(context, 'GET', '/mail', query)) as { mails: readonly KeptMail[] }
  const rows = mails.map((one) => ({ ...one, link: /\bhttps?:\/\/\S+/.exec(one.text)?.[0] ?? null }))
  await context.print.list(rows, columns)
}

/** `sim mail`. */
export const mailVerb = verb(
  'mail',
  'list the mails of the local outbox, newest first',
  mail,
  ['msgctl sim mail', 'msgctl sim mail --to ada@example.com --limit 1 --output plain --fields link'],
  (command) =>
    command
      .option('--to <email>', 'show only mails to this address')
      .option('--limit <rows>', 'maximum number of rows (default: 20)'),
)
