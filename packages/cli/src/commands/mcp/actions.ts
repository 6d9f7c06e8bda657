import { Option } from 'commander'
import type { Context } from '../../context.ts'
import { listedBy, resolveId } from '../../input/id-prefix.ts'
import { defineColumns } from '../../output/columns.ts'
import { sanitizeText } from '../../output/sanitize.ts'
import { verb, verbs } from '../../program.ts'

const states = ['pending', 'approved', 'done', 'failed', 'denied', 'expired'] as const
type State = (typeof states)[number]

const columns = defineColumns('id, state, summary as Action, connection.name as Client, requestedAt as Asked')

async function actions(context: Context, { state }: { readonly state?: State }): Promise<void> {
  const { actions: found } = await context.asPerson((client) => client.mcp.actions(state ? { state } : {}))
  await context.print.list(found, columns)
}

/** Resolves an action by id, or by the beginning of its id. Throws a CliError when none or several match. */
function resolveActionId(context: Context, reference: string): Promise<string> {
  return resolveId(reference, {
    list: () => listedBy(async () => (await context.asPerson((client) => client.mcp.actions({}))).actions),
    plural: 'actions',
    command: 'msgctl mcp actions',
  })
}

async function approve(context: Context, reference: string): Promise<void> {
  const actionId = await resolveActionId(context, reference)
  const { action, preview } = await context.asPerson((client) => client.mcp.action({ actionId }))
  const texts = preview.text === null ? preview.samples.map(({ phone, text }) => `+${phone}: ${text}`) : [preview.text]
  context.note(`${action.summary}, asked by ${action.connection.name}. ${preview.reason}`)
  if (preview.recipient === null) context.note(`To ${preview.people} people:`)
  for (const text of texts) context.note(sanitizeText(text))
  await context.confirm('Approve it?')
  const decided = await context.asPerson((client) => client.mcp.approve({ actionId }))
  await context.print.record(decided.action, columns)
}

async function deny(context: Context, reference: string): Promise<void> {
  const actionId = await resolveActionId(context, reference)
  const { action } = await context.asPerson((client) => client.mcp.deny({ actionId }))
  await context.print.record(action, columns)
}

const example = '0190b1a1-0c2d-7b3e-8f44-5a6b7c8da005'

/** `mcp actions`, `mcp approve` and `mcp deny`. */
export const actionsVerbs = verbs(
  verb(
    'actions',
    'list what AI clients want to do and a person decides',
    actions,
    ['msgctl mcp actions', 'msgctl mcp actions --state pending'],
    (command) => command.addOption(new Option('--state <state>', 'show only actions in this state').choices(states)),
  ),
  verb('approve <action>', 'show and approve an action', approve, [`msgctl mcp approve ${example}`]),
  verb('deny <action>', 'deny an action', deny, [`msgctl mcp deny ${example}`]),
)
