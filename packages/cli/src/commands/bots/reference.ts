import type { AdminClient } from '@msgctl/client/admin'
import type { Context } from '../../context.ts'
import { isId, isNamed, requireOne, resolveId } from '../../input/id-prefix.ts'
import { resolveContainerIds } from '../numbers/reference.ts'

type Listed = Awaited<ReturnType<AdminClient['bots']['list']>>['bots'][number]

/** Returns an assistant by id, beginning of the id or name. Throws a CliError when none or several match. */
export async function findBot(client: AdminClient, reference: string): Promise<Listed> {
  const { bots } = await client.bots.list()
  const found = bots.filter((bot) => isNamed(bot, reference))
  return requireOne(found, reference, { one: 'Assistant', plural: 'assistants', noun: 'bots' })
}

/** Resolves an assistant like {@link findBot}. Queries the service unless the reference is a complete id. */
export async function resolveBotId(client: AdminClient, reference: string): Promise<string> {
  return isId(reference) ? reference.toLowerCase() : (await findBot(client, reference)).id
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
  return resolveContainerIds(await context.client(), splitList(numbers))
}

/** Parses an option of several words that are separated by commas. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
}
