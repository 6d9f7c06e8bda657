import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { examples, type Run } from '../../program.ts'
import { expectedValue, listCompletions } from './completions.ts'
import { fileNames, listValues } from './values.ts'

export function register(command: Command, run: Run): void {
  const root = command.parent ?? command
  examples(command, 'msgctl __complete -- numbers ""')
    .argument('[words...]', 'words so far; the last one is incomplete')
    .action(
      run(async (context: Context, words: readonly string[]) => {
        const typed = (words.at(-1) ?? '').toLowerCase()
        const expected = expectedValue(root, words)
        const values = expected === undefined ? [] : await listValues(context, expected.noun, expected.name)
        const fitting = values.filter((value) => value === fileNames || value.word.toLowerCase().startsWith(typed))
        const found = [...listCompletions(root, words), ...fitting]
        await context.print.text(found.map(({ word, description }) => `${word}\t${description}\n`).join(''))
      }),
    )
}
