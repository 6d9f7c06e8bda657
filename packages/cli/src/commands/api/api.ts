import type { MessagingClient } from '@msgctl/client'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { idempotencyOption, validateKey } from '../../http/idempotency.ts'
import { parseFields } from '../../input/form-fields.ts'
import { readFileOrInput } from '../../input/read-input.ts'
import { sanitizeLine } from '../../output/sanitize.ts'
import { examples, type Run } from '../../program.ts'

interface ApiOptions {
  readonly field: readonly string[]
  readonly typedField: readonly string[]
  readonly input?: string
  readonly asUser?: true
  readonly header: readonly string[]
  readonly include?: true
  readonly paginate?: true
  readonly idempotencyKey?: string
}

type Body = Readonly<Record<string, unknown>>

const methods = ['GET', 'POST', 'PUT', 'DELETE']
/** The size of the largest body that the service accepts. */
const maxInputBytes = 16 * 1024 * 1024

/** Returns the path below the base URL; a path that includes /api/v1 is accepted too. */
function pathFrom(text: string, baseUrl: string): string {
  // Git Bash on Windows turns a path with a slash into one of the disk.
  const path = text.startsWith('/') ? text : `/${text}`
  const base = new URL(baseUrl).pathname.replace(/(?<!\/)\/+$/, '')
  return base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path
}

function parseBody(text: string): Body {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw usageFailure('The input is not JSON.')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body
  throw usageFailure('The input must be a JSON object.')
}

async function inputFrom(context: Context, { input, field, typedField }: ApiOptions): Promise<Body> {
  const fields = parseFields(field, typedField)
  if (input === undefined) return fields
  return { ...parseBody(await readFileOrInput(context.host, input, maxInputBytes)), ...fields }
}

async function api(context: Context, method: string, path: string, options: ApiOptions): Promise<void> {
  const verb = method.toUpperCase()
  if (!methods.includes(verb))
    throw usageFailure(`The method must be one of ${methods.join(', ')}.`, 'Example: msgctl api GET /me')
  const where = pathFrom(path, context.target.baseUrl)
  const input = await inputFrom(context, options)
  if (verb === 'DELETE') await context.confirm(`DELETE ${where}?`)
  if (options.paginate && verb !== 'GET') throw usageFailure('--paginate needs the method GET.')
  const callOptions = {
    signal: context.host.signal,
    idempotencyKey: validateKey(options.idempotencyKey),
    headers: headersFrom(options.header),
  }
  const call = async (client: MessagingClient) => {
    const first = await client.request(verb, where, input, callOptions)
    if (options.include) writeHead(context, first.response)
    return options.paginate ? allPages(client, where, input, first.data, callOptions) : first.data
  }
  const data = options.asUser ? await context.asUser(call) : await call(await context.client())
  const { format } = context.print
  const rows = format === 'table' || format === 'json' ? undefined : rowsIn(data)
  if (rows) return context.print.list(rows, toColumns(rows[0]))
  if (format !== 'table' || context.options.fields !== undefined) return context.print.record(data, toColumns(data))
  await context.print.text(`${JSON.stringify(data, null, 2)}\n`)
}

type CallOptions = Parameters<MessagingClient['request']>[3]

/** Parses `name: value`. Credentials are not among them: they come from the configuration. */
function headersFrom(list: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    list.map((entry) => {
      const [, name = '', value = ''] = /^([\w-]+):\s*(\S.*)?$/.exec(entry) ?? []
      if (name === '') throw usageFailure(`${entry} is not a header.`, 'Example: -H "Accept-Language: de"')
      if (/^(x-api-key|authorization|cookie)$/i.test(name)) {
        throw usageFailure(`The header ${name} comes from the configuration.`, 'See msgctl config explain')
      }
      return [name.toLowerCase(), value]
    }),
  )
}

const shownHeaders = [
  'x-request-id',
  'content-type',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'idempotency-replayed',
]

/** Writes the status and the headers of interest to stderr, so that stdout stays data. */
function writeHead({ host }: Context, response: { readonly status: number; readonly headers: Pick<Headers, 'get'> }) {
  const lines = shownHeaders.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [`${name}: ${sanitizeLine(value)}`]
  })
  host.stderr.write(`HTTP ${response.status}\n${lines.map((line) => `${line}\n`).join('')}`)
}

/** Reads the further pages of a list and returns the first response with the rows of all. */
async function allPages(
  client: MessagingClient,
  where: string,
  input: Body,
  first: unknown,
  options: CallOptions,
): Promise<unknown> {
  const rows = [...(rowsIn(first) ?? [])]
  let last = first as { readonly nextCursor?: string | null; readonly hasMore?: boolean }
  for (let page = 2; rowsIn(last)?.length; page += 1) {
    const { nextCursor } = last
    if (nextCursor === null || last.hasMore === false) break
    const position = nextCursor === undefined ? { page } : { cursor: nextCursor }
    const { data } = await client.request('GET', where, { ...input, ...position }, options)
    last = data as typeof last
    rows.push(...(rowsIn(last) ?? []))
  }
  const name = Object.entries(first ?? {}).find(([, value]) => Array.isArray(value))?.[0]
  return name === undefined ? first : { ...(first as object), [name]: rows }
}

/** Returns the rows of a list response: one with exactly one array, which contains only objects. */
function rowsIn(data: unknown): readonly unknown[] | undefined {
  const [list, ...others] = Object.values(data ?? {}).filter(Array.isArray)
  const isRows = list?.every((row) => typeof row === 'object' && row !== null)
  return isRows && others.length === 0 ? list : undefined
}

/** Returns a column for each field of a record. */
function toColumns(row: unknown) {
  return typeof row === 'object' && row !== null ? Object.keys(row).map((field) => ({ field, title: field })) : []
}

const collect = (value: string, before: readonly string[]) => [...before, value]

export function register(command: Command, run: Run): void {
  examples(
    command,
    'msgctl api GET /me',
    'msgctl api GET /messages -f status=failed -f limit=5',
    'msgctl api POST /alert/send -f phone=+12025550100 -f message=hello -f priority=high',
    'msgctl api PUT /me/webhook -F webhookUrl=null',
    'msgctl api POST /alert/validate -f "phones[]=+12025550100" -f "phones[]=+12025550101"',
    'msgctl api POST /alert/send --input body.json',
    'msgctl api GET messages --paginate --jq ".messages[].id"',
  )
    .argument('<method>', 'GET, POST, PUT or DELETE')
    .argument('<path>', 'path below the base URL, such as /messages')
    .option('-f, --field <name=value>', 'add a text field to the query (GET) or the body', collect, [])
    .option('-F, --typed-field <name=value>', 'add a field that is true, false, null, a number or JSON', collect, [])
    .option('--input <file>', 'read the body from a JSON file, or - for stdin')
    .option('-H, --header <name: value>', 'add a header', collect, [])
    .option('-i, --include', 'also show the status and headers, on stderr')
    .option('--paginate', 'read all pages of a list')
    .option('--as-user', 'call as the signed-in user instead of with the key')
    .option(...idempotencyOption)
    .action(run(api))
}
