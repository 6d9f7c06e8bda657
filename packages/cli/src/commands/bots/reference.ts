import type { AdminClient } from '@msgctl/client/admin'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes, usageFailure } from '../../errors/exit-codes.ts'
import { resolveId } from '../../input/id-prefix.ts'
import { resolveContainerIds } from '../numbers/reference.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const shortestPrefix = 4

type Listed = Awaited<ReturnType<AdminClient['bots']['list']>>['bots'][number]

/** Returns an assistant by id, beginning of the id or name. Throws a CliError when none or several match. */
export async function findBot(client: AdminClient, reference: string): Promise<Listed> {
  const { bots } = await client.bots.list()
  const typed = reference.toLowerCase()
  const isPrefix = /^[0-9a-f-]+$/.test(typed) && typed.length >= shortestPrefix
  const [found, ...others] = bots.filter(
    ({ id, name }) => name.toLowerCase() === typed || (isPrefix && id.startsWith(typed)),
  )
  if (found === undefined) {
    throw new CliError(`Assistant ${reference} not found.`, {
      code: 'NOT_FOUND',
      exitCode: exitCodes.notFound,
      advice: 'List the assistants with: msgctl bots list',
    })
  }
  if (others.length === 0) return found
  const ids = [found, ...others].map(({ id }) => id).join(', ')
  throw usageFailure(`Several assistants match ${reference}: ${ids}.`, 'Use the id of one of them.')
}

/** Resolves an assistant like {@link findBot}. Queries the service unless the reference is a complete id. */
export async function resolveBotId(client: AdminClient, reference: string): Promise<string> {
  return uuid.test(reference) ? reference.toLowerCase() : (await findBot(client, reference)).id
}

type Part = 'answers' | 'products' | 'conversations' | 'reviews'

/** Resolves something of an assistant by its id, or by the beginning of it, as the list `part` shows it. */
export function resolvePartId(context: Context, client: AdminClient, part: Part, botId: string, reference: string) {
  return resolveId(reference, {
    list: () => client.bots[part].all({ botId, limit: 100 }, { signal: context.host.signal }),
    plural: part,
    command: `msgctl bots ${part} list ${botId}`,
  })
}

/** Resolves `--numbers`: references separated by commas. */
export async function toContainerIds(context: Context, numbers: string): Promise<string[]> {
  const references = numbers
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  return resolveContainerIds(await context.client(), references)
}

/** Parses an option of several words that are separated by commas. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
}
