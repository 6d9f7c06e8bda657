import type { AdminClient } from '@msgctl/client/admin'
import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { readFileOrInput } from '../../input/read-input.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
import { openPage, type WebOption, webOption } from '../open/open-page.ts'
import { findBot, resolveBotId, splitList, toContainerIds } from './reference.ts'

type Fields = Parameters<AdminClient['bots']['update']>[0]

const columns = defineColumns('name, status, languages, answers, notice, id as Assistant')

const detailColumns = defineColumns(
  ...columns,
  'containerIds as Numbers, outsideHours, humanPauseMinutes as Pause in minutes, shop.currency',
)

const maxSettingsBytes = 1024 * 1024

interface Options {
  readonly name?: string
  readonly numbers?: string
  readonly languages?: string
  readonly outsideHours?: 'answer' | 'away'
  readonly pause?: string
  readonly currency?: string
  readonly settings?: string
}

/** Adds the options that create and edit share. */
function fieldOptions(command: Command): Command {
  return command
    .option('--numbers <numbers>', 'numbers to answer on, separated by commas: id, label or phone')
    .option('--languages <languages>', 'languages, separated by commas; the first is the one it begins in')
    .addOption(new Option('--outside-hours <what>', 'outside business hours').choices(['answer', 'away']))
    .option('--pause <minutes>', 'minutes of silence after a person wrote in the chat')
    .option('--currency <code>', 'open a shop with this currency, such as EUR')
    .option('--settings <file>', 'JSON file with further fields of the API, such as hours, texts and shop; - for stdin')
}

async function toFields(context: Context, options: Options): Promise<Omit<Fields, 'botId'>> {
  const { name, numbers, languages, outsideHours, pause, currency, settings } = options
  const further = settings === undefined ? {} : await readSettings(context, settings)
  return {
    ...further,
    ...(name !== undefined && { name }),
    ...(numbers !== undefined && { containerIds: await toContainerIds(context, numbers) }),
    ...(languages !== undefined && { languages: splitList(languages) }),
    ...(outsideHours && { outsideHours }),
    ...(pause !== undefined && { humanPauseMinutes: Number(pause) }),
    ...(currency !== undefined && { shop: { enabled: true, currency } }),
  }
}

async function readSettings(context: Context, file: string): Promise<Omit<Fields, 'botId'>> {
  const text = await readFileOrInput(context.host, file, maxSettingsBytes)
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed
  } catch {
    // Reported below.
  }
  throw usageFailure(`The settings in ${file} are not a JSON object.`)
}

async function list(context: Context): Promise<void> {
  const client = await context.admin()
  const { bots } = await client.bots.list({}, { signal: context.host.signal })
  await context.print.list(bots, columns, 'There are no assistants. Create one with: msgctl bots create NAME')
}

async function show(context: Context, reference: string, { web }: WebOption): Promise<void> {
  const client = await context.admin()
  const { id } = await findBot(client, reference)
  if (web) return openPage(context, `assistants/${id}`)
  const { bot } = await client.bots.get({ botId: id })
  await context.print.record(bot, detailColumns)
}

async function create(context: Context, name: string, options: Options): Promise<void> {
  const client = await context.admin()
  const { bot } = await client.bots.create({ ...(await toFields(context, options)), name })
  await context.print.record(bot, detailColumns)
}

async function edit(context: Context, reference: string, options: Options): Promise<void> {
  const fields = await toFields(context, options)
  if (Object.keys(fields).length === 0) throw usageFailure('Select something to change; see --help.')
  const client = await context.admin()
  const { bot } = await client.bots.update({ botId: await resolveBotId(client, reference), ...fields })
  await context.print.record(bot, detailColumns)
}

async function activate(context: Context, reference: string): Promise<void> {
  const client = await context.admin()
  const { bot } = await client.bots.activate({ botId: await resolveBotId(client, reference) })
  await context.print.record(bot, columns)
}

async function pause(context: Context, reference: string): Promise<void> {
  const client = await context.admin()
  const { bot } = await client.bots.pause({ botId: await resolveBotId(client, reference) })
  await context.print.record(bot, columns)
}

async function remove(context: Context, reference: string): Promise<void> {
  const client = await context.admin()
  const { id: botId, name } = await findBot(client, reference)
  await context.confirmTyped(`Delete the assistant "${name}" with everything that it knows?`, name)
  await client.bots.delete({ botId })
  await context.print.record({ id: botId, deleted: true }, [{ field: 'id', title: 'Deleted' }])
}

/** The verbs that create, show and change assistants. */
export const botVerbs = verbs(
  verb('list', 'list the assistants', list, ['msgctl bots list']),
  verb(
    'show <bot>',
    'show an assistant',
    show,
    ['msgctl bots show Desk --json', 'msgctl bots show Desk --web'],
    (command) => command.option(...webOption),
  ),
  verb(
    'create <name>',
    'create an assistant as a draft',
    create,
    [
      'msgctl bots create Desk --numbers support',
      'msgctl bots create Shop --numbers shop --languages de,en --currency EUR',
    ],
    fieldOptions,
  ),
  verb(
    'edit <bot>',
    'change an assistant',
    edit,
    ['msgctl bots edit Desk --outside-hours away', 'msgctl bots edit Desk --settings hours.json'],
    (command) => fieldOptions(command).option('--name <name>', 'new name'),
  ),
  verb('activate <bot>', 'let an assistant answer on its numbers', activate, ['msgctl bots activate Desk']),
  verb('pause <bot>', 'silence an assistant', pause, ['msgctl bots pause Desk']),
  verb('delete <bot>', 'delete an assistant permanently', remove, ['msgctl bots delete Desk --yes']),
)
