import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { examples, type Run } from '../../program.ts'
import { openPage } from './open-page.ts'

function open(context: Context, page: string | undefined, { print }: { readonly print?: true }): Promise<void> {
  return openPage(context, page ?? '', print === true)
}

export function register(command: Command, run: Run): void {
  examples(command, 'msgctl open', 'msgctl open campaigns', 'msgctl open --print')
    .argument('[page]', 'page of the console, such as messages or campaigns')
    .option('--print', 'print the link without opening it')
    .action(run(open))
}
