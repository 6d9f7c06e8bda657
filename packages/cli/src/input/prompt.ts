import { exitCodes, usageFailure } from '../errors/exit-codes.ts'
import { CliFailure } from '../errors/failure.ts'
import { interrupted } from '../errors/report.ts'
import { canAsk, type World } from '../world.ts'

/** The prompts write to stderr, so that stdout stays data. Loaded when a person is asked. */
async function prompts(world: World) {
  const library = await import('@clack/prompts')
  return { library, common: { input: world.stdin, output: world.stderr, signal: world.signal } }
}

/** The answer, or a failure when the person pressed Ctrl-C. */
function answered<T extends string | boolean>(answer: T | symbol): T {
  if (typeof answer !== 'symbol') return answer
  throw new CliFailure(interrupted.message, interrupted)
}

/** Throws a usage failure with `instead` when nobody can be asked. */
function requirePerson(world: World, instead: string): void {
  if (!canAsk(world)) throw usageFailure('There is no terminal to ask a person on.', instead)
}

/** Asks for a line of text. */
export async function askText(world: World, message: string, initialValue: string, instead: string): Promise<string> {
  requirePerson(world, instead)
  const { library, common } = await prompts(world)
  const validate = (text: string | undefined) => (text?.trim() ? undefined : 'Please type something.')
  return answered<string>(await library.text({ ...common, message, initialValue, validate })).trim()
}

/** Asks for a secret; nothing of it is shown. */
export async function askSecret(world: World, message: string, instead: string): Promise<string> {
  requirePerson(world, instead)
  const { library, common } = await prompts(world)
  return answered<string>((await library.password({ ...common, message, mask: '*' })) ?? '')
}

/** Asks which of some choices. */
export async function askChoice<T extends string>(
  world: World,
  message: string,
  choices: Readonly<Record<T, string>>,
  instead: string,
): Promise<T> {
  requirePerson(world, instead)
  const { library, common } = await prompts(world)
  const options = Object.entries(choices).map(([value, label]) => ({ value: value as T, label: label as string }))
  const chosen = await library.select<string>({ ...common, message, options })
  return answered<string>(chosen) as T
}

/** Goes on only when the person says yes. Throws a CliFailure on no, or when nobody can be asked. */
export async function requireYes(world: World, message: string): Promise<void> {
  if (!canAsk(world)) {
    const advice = 'Repeat the command with --yes if you are sure.'
    const facts = { code: 'CONFIRMATION_REQUIRED', exitCode: exitCodes.usage, advice }
    throw new CliFailure(`${message} This needs a yes, and there is no terminal to ask a person on.`, facts)
  }
  const { library, common } = await prompts(world)
  const yes = answered<boolean>(await library.confirm({ ...common, message, initialValue: false }))
  if (!yes) throw new CliFailure('Nothing was changed.', { code: 'DECLINED', exitCode: exitCodes.usage })
}
