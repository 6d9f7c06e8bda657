import type { MessagingClient } from '@msgctl/client'
import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import type { Column } from '../../output/columns.ts'
import { examples, type Run, verb, verbs } from '../../program.ts'
import { resolveContainerIds } from './reference.ts'

type SendGroup = Awaited<ReturnType<MessagingClient['numbers']['sendGroup']>>['sendGroup']

/** Returns the columns of a send group; tables show the labels of its numbers, in order. */
function columnsWith(labels: ReadonlyMap<string, string>): Column[] {
  const named = (ids: unknown) => (ids as string[]).map((id) => labels.get(id) ?? id).join(', ') || '-'
  return [
    { field: 'enabled', title: 'On' },
    { field: 'mode', title: 'Mode' },
    { field: 'sticky', title: 'Sticky' },
    { field: 'containerIds', title: 'Numbers', show: named },
  ]
}

async function print(context: Context, client: MessagingClient, group: SendGroup): Promise<void> {
  const { sessions } = await client.numbers.list()
  await context.print.record(group, columnsWith(new Map(sessions.map(({ id, label }) => [id, label]))))
}

async function show(context: Context): Promise<void> {
  const client = await context.client()
  await print(context, client, (await client.numbers.sendGroup()).sendGroup)
}

interface SetOptions {
  readonly on?: true
  readonly off?: true
  readonly mode?: SendGroup['mode']
  readonly sticky?: boolean
  readonly numbers?: string
}

async function set(context: Context, { on, off, mode, sticky, numbers }: SetOptions): Promise<void> {
  if (on && off) throw usageFailure('--on cannot be combined with --off.')
  if (!on && !off && mode === undefined && sticky === undefined && numbers === undefined) {
    throw usageFailure('Select something to change: --on, --off, --mode, --sticky, --no-sticky or --numbers.')
  }
  const references = numbers?.split(',').flatMap((reference) => reference.trim() || [])
  await context.asUser(async (client) => {
    const { sendGroup } = await client.numbers.setSendGroup({
      ...(on || off ? { enabled: on === true } : {}),
      ...(references ? { containerIds: await resolveContainerIds(client, references) } : {}),
      ...(mode ? { mode } : {}),
      ...(sticky === undefined ? {} : { sticky }),
    })
    await print(context, client, sendGroup)
  })
}

const setVerb = verb(
  'set',
  'change the send group (requires a signed-in user)',
  set,
  [
    'msgctl numbers group set --on --numbers sales,support,+12025550199',
    'msgctl numbers group set --mode share --no-sticky',
    'msgctl numbers group set --off',
  ],
  (command) =>
    command
      .option('--on', 'enable the group')
      .option('--off', 'disable the group and use only the default number')
      .addOption(
        new Option('--mode <mode>', 'backup: use the next number when the default is down; share: use all').choices([
          'backup',
          'share',
        ]),
      )
      .option('--sticky', 'keep the same number for a contact')
      .option('--no-sticky', 'allow another number each time')
      .option('--numbers <list>', 'its numbers in order, separated by commas: ids, labels or phones'),
)

/** `numbers group`. */
export function groupVerbs(numbers: Command, run: Run): void {
  const group = numbers.command('group').description('show or change the send group: numbers that replace each other')
  verbs(verb('show', 'show the send group', show, ['msgctl numbers group show']), setVerb)(
    examples(group, 'msgctl numbers group show', 'msgctl numbers group set --on --numbers sales,support'),
    run,
  )
}
