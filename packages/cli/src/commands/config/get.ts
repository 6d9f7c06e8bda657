import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { addVerb, type Run } from '../../program.ts'
import { settingNamed, settingNames } from './settings.ts'

async function get(context: Context, name: string): Promise<void> {
  const value = context.config.settings[settingNamed(name)]
  if (value !== undefined) return context.print.text(`${value}\n`, { setting: name, value })
  throw new CliError(`${name} is not set.`, {
    code: 'NOT_SET',
    exitCode: exitCodes.notFound,
    advice: `Set it with: msgctl config set ${name} VALUE`,
  })
}

/** Adds `config get`. */
export function registerGet(config: Command, run: Run): void {
  addVerb(config, 'get <setting>', `show a setting: ${settingNames.join(', ')}`, 'msgctl config get output').action(
    run(get),
  )
}
