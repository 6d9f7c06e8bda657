import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { addVerb, type Run } from '../../program.ts'

async function setKeywords(
  context: Context,
  keywords: readonly string[],
  { none }: { readonly none?: true },
): Promise<void> {
  if (none && keywords.length > 0) throw usageFailure('Give words or --none, not both.')
  const client = await context.client()
  const isChange = none || keywords.length > 0
  if (isChange)
    await context.confirm(none ? 'Remove all stop words of your own?' : 'Replace the stop words of your own?')
  const answer = isChange
    ? await client.contacts.setOptOutWords({ words: [...keywords] })
    : await client.contacts.optOutWords()
  const list = answer.words.map((word) => ({ word }))
  await context.print.list(list, [{ field: 'word', title: 'Word' }])
  context.note('STOP and UNSUBSCRIBE always count; START lets a person in again.')
}

/** Adds `contacts words`. */
export function registerWords(contacts: Command, run: Run): void {
  addVerb(
    contacts,
    'words [words...]',
    'show the words by which people opt out, or replace them',
    'msgctl contacts words',
    'msgctl contacts words ABMELDEN "KEINE WERBUNG" --yes',
    'msgctl contacts words --none --yes',
  )
    .option('--none', 'have no words of your own')
    .action(run(setKeywords))
}
