import { CliError } from '../errors/cli-error.ts'
import { exitCodes, usageFailure } from '../errors/exit-codes.ts'
import { interrupted } from '../errors/format-error.ts'
import { canPrompt, type Host } from '../host.ts'

/** What every prompt is given. They write to stderr, because stdout is for data. */
interface Common {
  readonly input: Host['stdin']
  readonly output: Host['stderr']
  readonly signal: AbortSignal
}

/** A key that was pressed, as node:readline reports it. */
interface Key {
  readonly ctrl?: boolean
  readonly name?: string
}

/** Shows a prompt, whose library is loaded on first use. Ctrl-D ends it as Ctrl-C does. */
async function prompt<T>(
  host: Host,
  show: (library: typeof import('@clack/prompts'), common: Common) => Promise<T>,
): Promise<T> {
  const library = await import('@clack/prompts')
  const end = new AbortController()
  const cancel = () => end.abort()
  const endOnCtrlD = (_text: unknown, { ctrl, name }: Key) => {
    if (ctrl === true && name === 'd') cancel()
  }
  if (host.signal.aborted) cancel()
  host.signal.addEventListener('abort', cancel)
  host.stdin.on('keypress', endOnCtrlD)
  try {
    return await show(library, { input: host.stdin, output: host.stderr, signal: end.signal })
  } finally {
    host.stdin.off('keypress', endOnCtrlD)
    host.signal.removeEventListener('abort', cancel)
  }
}

/** Returns the answer. Throws a CliError on Ctrl-C and Ctrl-D. */
function requireAnswer<T extends string | boolean>(answer: T | symbol): T {
  if (typeof answer !== 'symbol') return answer
  throw new CliError(interrupted.message, interrupted)
}

/** Throws a usage error with the advice `instead` when there is no terminal. */
function requireTerminal(host: Host, instead: string): void {
  if (!canPrompt(host)) throw usageFailure('There is no terminal to prompt on.', instead)
}

/** Prompts for a line of text. Enter alone takes `proposal`, unless it is empty; what is typed replaces it. */
export async function askText(host: Host, message: string, proposal: string, instead: string): Promise<string> {
  requireTerminal(host, instead)
  const validate = (text: string | undefined) => (text?.trim() || proposal ? undefined : 'Enter a value.')
  const shown = { message, placeholder: proposal, defaultValue: proposal, validate }
  return requireAnswer<string>(await prompt(host, ({ text }, common) => text({ ...common, ...shown }))).trim()
}

/** Prompts for a secret without showing it. */
export async function askSecret(host: Host, message: string, instead: string): Promise<string> {
  requireTerminal(host, instead)
  const asked = await prompt(host, ({ password }, common) => password({ ...common, message, mask: '*' }))
  return requireAnswer<string>(asked ?? '')
}

/** Prompts for one of several choices. */
export async function askChoice<T extends string>(
  host: Host,
  message: string,
  choices: Readonly<Record<T, string>>,
  instead: string,
): Promise<T> {
  requireTerminal(host, instead)
  const options = Object.entries(choices).map(([value, label]) => ({ value: value as T, label: label as string }))
  const chosen = await prompt(host, ({ select }, common) => select<string>({ ...common, message, options }))
  return requireAnswer<string>(chosen) as T
}

/**
 * Prompts for a line, which Enter ends, so that typing ahead confirms nothing. Throws a CliError without a terminal.
 */
async function readConfirmation(host: Host, message: string): Promise<string> {
  if (!canPrompt(host)) {
    const advice = 'Repeat the command with --yes to confirm.'
    const facts = { code: 'CONFIRMATION_REQUIRED', exitCode: exitCodes.usage, advice }
    throw new CliError(`${message} Confirmation is required, and there is no terminal to prompt on.`, facts)
  }
  return (
    requireAnswer<string>((await prompt(host, ({ text }, common) => text({ ...common, message }))) ?? '') ?? ''
  ).trim()
}

const declined = { code: 'DECLINED', exitCode: exitCodes.usage } as const

/** Prompts for `y` or `yes` and Enter. Throws a CliError when the user declines, or when there is no terminal. */
export async function requireConfirmation(host: Host, message: string): Promise<void> {
  const typed = canPrompt(host) ? `${message} (y/N)` : message
  if (!/^y(es)?$/i.test(await readConfirmation(host, typed))) throw new CliError('Nothing was changed.', declined)
}

/** Prompts for a name before a change that cannot be undone. Throws like {@link requireConfirmation}. */
export async function requireTyped(host: Host, message: string, name: string): Promise<void> {
  const typed = canPrompt(host) ? `${message} Type ${name} to confirm` : message
  if ((await readConfirmation(host, typed)) !== name) throw new CliError('Nothing was changed.', declined)
}
