import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { defineColumns } from '../../output/columns.ts'
import { examples, type Run, verb, verbs } from '../../program.ts'
import { usageVerb } from './usage.ts'

const columns = defineColumns(
  'organization.name as Organization, organization.id as Organization id, name, email as E-mail, memberRole as Role',
  'products, features',
  {
    field: 'maxNumbers',
    title: 'Numbers allowed',
    show: (value: unknown) => (value === null ? 'no limit' : String(value)),
  },
  'webhookUrl as Webhook, apiKeyPreview as Key, networkWarning as Warning',
)

async function me(context: Context): Promise<void> {
  const client = await context.client()
  const { success: _always, ...account } = await client.account.me()
  await context.print.record(account, columns)
}

const meVerb = verb('me', 'show the current user, organization and products', me, [
  'msgctl account me',
  'msgctl account me --json --fields products,features',
])

export function register(account: Command, run: Run): void {
  // The noun alone runs its first verb.
  examples(account, 'msgctl account', 'msgctl account --json').action(run(me))
  verbs(meVerb, usageVerb)(account, run)
}
