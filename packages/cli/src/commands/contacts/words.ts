import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { verb } from '../../program.ts'

async function setKeywords(
  context: Context,
  keywords: readonly string[],
  { none }: { readonly none?: true },
): Promise<void> {
  if (none && keywords.length > 0) throw usageFailure('Words cannot be combined with --none.')
  const client = await context.client()
  const isChange = none || keywords.length > 0
  if (isChange)
    await context.confirm(none ? 'Remove all custom opt-out keywords?' : 'Replace the custom opt-out keywords?')
  const response = isChange
    ? await client.contacts.setOptOutWords({ words: [...keywords] })
    : await client.contacts.optOutWords()
  const list = response.words.map((word) => ({ word }))
  await context.print.list(list, [{ field: 'word', title: 'Keyword' }], 'There are no custom keywords.')
  context.note('STOP and UNSUBSCRIBE always opt out; START opts in again.')
}

/** `contacts words`. */
export const wordsVerb = verb(
  'words [words...]',
  'show or replace the custom opt-out keywords',
  setKeywords,
  [
    'msgctl contacts words',
    'msgctl contacts words ABMELDEN "KEINE WERBUNG" --yes',
    'msgctl contacts words --none --yes',
  ],
  (command) => command.option('--none', 'remove all custom keywords'),
)
