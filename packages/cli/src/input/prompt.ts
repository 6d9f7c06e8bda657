import { CliError } from '../errors/cli-error.ts'
import { exitCodes, usageFailure } from '../errors/exit-codes.ts'
import { interrupted } from '../errors/format-error.ts'
import { canAsk, type Host } from '../host.ts'

/** The prompts write to stderr, so that stdout stays data. Loaded when a person is asked. */
async function prompts(host: Host) {
  const library = await import('@clack/prompts')
  return { library, common: { input: host.stdin, output: host.stderr, signal: host.signal } }
}

/** The answer, or a failure when the person pressed Ctrl-C. */
function answered<T extends string | boolean>(answer: T | symbol): T {
  if (typeof answer !== 'symbol') return answer
  throw new CliError(interrupted.message, interrupted)
}

/** Throws a usage failure with `instead` when nobody can be asked. */
function requirePerson(host: Host, instead: string): void {
  if (!canAsk(host)) throw usageFailure('There is no terminal to ask a person on.', instead)
}

/** Asks for a line of text. */
export async function askText(host: Host, message: string, initialValue: string, instead: string): Promise<string> {
  requirePerson(host, instead)
  const { library, common } = await prompts(host)
  const validate = (text: string | undefined) => (text?.trim() ? undefined : 'Please type something.')
  return answered<string>(await library.text({ ...common, message, initialValue, validate })).trim()
}

/** Asks for a secret; nothing of it is shown. */
export async function askSecret(host: Host, message: string, instead: string): Promise<string> {
  requirePerson(host, instead)
  const { library, common } = await prompts(host)
  return answered<string>((await library.password({ ...common, message, mask: '*' })) ?? '')
}

/** Asks which of some choices. */
export async function askChoice<T extends string>(
  host: Host,
  message: string,
  choices: Readonly<Record<T, string>>,
  instead: string,
): Promise<T> {
  requirePerson(host, instead)
  const { library, common } = await prompts(host)
  const options = Object.entries(choices).map(([value, label]) => ({ value: value as T, label: label as string }))
  const chosen = await library.select<string>({ ...common, message, options })
  return answered<string>(chosen) as T
}

/** Goes on only when the person says yes. Throws a CliError on no, or when nobody can be asked. */
export async function requireYes(host: Host, message: string): Promise<void> {
  if (!canAsk(host)) {
    const advice = 'Repeat the command with --yes if you are sure.'
    const facts = { code: 'CONFIRMATION_REQUIRED', exitCode: exitCodes.usage, advice }
    throw new CliError(`${message} This needs a yes, and there is no terminal to ask a person on.`, facts)
  }
  const { library, common } = await prompts(host)
  const yes = answered<boolean>(await library.confirm({ ...common, message, initialValue: false }))
  if (!yes) throw new CliError('Nothing was changed.', { code: 'DECLINED', exitCode: exitCodes.usage })
}
