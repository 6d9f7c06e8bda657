import type { MessagingClient, WebhookEndpoint } from '@msgctl/client'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { listedBy, resolveId } from '../../input/id-prefix.ts'
import { defineColumns } from '../../output/columns.ts'
import { subNoun, verb } from '../../program.ts'
import { kindsFrom } from '../events/kinds.ts'

const columns = defineColumns({ field: 'url', title: 'URL', long: true }, 'label, events, main, id as Endpoint id')

interface EndpointOptions {
  readonly types?: string
  readonly label?: string
  readonly url?: string
}

/** Returns the endpoint with its kinds in words. */
function row(endpoint: WebhookEndpoint) {
  return { ...endpoint, events: endpoint.kinds?.join(', ') ?? 'all' }
}

/** Parses `--types`: kinds separated by commas, or `all`. */
function kindsOption(types: string) {
  return types === 'all' ? null : kindsFrom(types)
}

/** Resolves an endpoint by id, or by the beginning of its id. Throws a CliError when none or several match. */
function resolveEndpointId(context: Context, client: MessagingClient, reference: string): Promise<string> {
  const { signal } = context.host
  return resolveId(reference, {
    list: () => listedBy(async () => (await client.webhook.endpoints({}, { signal })).endpoints),
    plural: 'webhook endpoints',
    command: 'msgctl webhook endpoints list',
  })
}

async function list(context: Context): Promise<void> {
  const client = await context.client()
  const { endpoints } = await client.webhook.endpoints({}, { signal: context.host.signal })
  await context.print.list(
    endpoints.map(row),
    columns,
    'There are no webhook endpoints. Add one with: msgctl webhook endpoints add URL',
  )
}

async function add(context: Context, url: string, { types, label }: EndpointOptions): Promise<void> {
  const client = await context.client()
  const { endpoint, signingSecret } = await client.webhook.addEndpoint({
    url,
    ...(types !== undefined && { kinds: kindsOption(types) }),
    ...(label !== undefined && { label }),
  })
  context.changed()
  await context.print.record({ ...row(endpoint), signingSecret }, [
    ...columns,
    { field: 'signingSecret', title: 'Secret' },
  ])
  if (signingSecret !== null) context.note('Receivers at this address verify deliveries with this secret.')
}

async function set(context: Context, reference: string, { url, types, label }: EndpointOptions): Promise<void> {
  if (url === undefined && types === undefined && label === undefined)
    throw usageFailure('Pass at least one of --url, --types and --label.')
  const client = await context.client()
  const id = await resolveEndpointId(context, client, reference)
  const { endpoint } = await client.webhook.setEndpoint({
    id,
    ...(url !== undefined && { url }),
    ...(types !== undefined && { kinds: kindsOption(types) }),
    ...(label !== undefined && { label: label === '' ? null : label }),
  })
  context.changed()
  await context.print.record(row(endpoint), columns)
}

async function remove(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const id = await resolveEndpointId(context, client, reference)
  const { endpoints } = await client.webhook.endpoints({}, { signal: context.host.signal })
  const url = endpoints.find((endpoint) => endpoint.id === id)?.url ?? id
  await context.confirm(`Remove the webhook endpoint ${url}? What waits for it is dropped.`)
  await client.webhook.removeEndpoint({ id })
  context.changed()
  await context.print.record({ id, removed: true }, [{ field: 'id', title: 'Removed' }])
}

/** `webhook endpoints` with its verbs. */
export const endpointsVerbs = subNoun(
  'endpoints',
  'manage further webhook addresses, each with its own events',
  verb('list', 'list the webhook endpoints', list, ['msgctl webhook endpoints list']),
  verb(
    'add <url>',
    'add a webhook endpoint and show its signing secret',
    add,
    ['msgctl webhook endpoints add https://example.com/hooks/alarms --types message.failed,campaign.* --label Alarms'],
    (command) =>
      command
        .option('--types <kinds>', 'post only these kinds, separated by commas; message.* selects all kinds of a group')
        .option('--label <name>', 'name of the endpoint'),
  ),
  verb(
    'set <endpoint>',
    'change a webhook endpoint',
    set,
    ['msgctl webhook endpoints set 01a1a0be-0410-7d5e-8f60-8192a3b4c5d6 --types all'],
    (command) =>
      command
        .option('--url <url>', 'new address')
        .option('--types <kinds>', 'kinds to post, separated by commas, or all')
        .option('--label <name>', 'new name; an empty one removes it'),
  ),
  verb('remove <endpoint>', 'remove a webhook endpoint', remove, [
    'msgctl webhook endpoints remove 01a1a0be-0410-7d5e-8f60-8192a3b4c5d6',
  ]),
)
