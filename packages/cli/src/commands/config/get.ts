import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { verb } from '../../program.ts'
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

/** `config get`. */
export const getVerb = verb('get <setting>', `show a setting: ${settingNames.join(', ')}`, get, [
  'msgctl config get output',
])
