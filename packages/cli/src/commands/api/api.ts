import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { checkedKey, idempotencyOption } from '../../http/idempotency.ts'
import { parseFields } from '../../input/form-fields.ts'
import { readFileOrInput } from '../../input/read-input.ts'
import { examples, type Run } from '../../program.ts'

interface ApiOptions {
  readonly field: readonly string[]
  readonly typedField: readonly string[]
  readonly input?: string
  readonly asPerson?: true
  readonly idempotencyKey?: string
}

type Body = Readonly<Record<string, unknown>>

const methods = ['GET', 'POST', 'PUT', 'DELETE']
/** The largest body the service takes on any route. */
const maxInputBytes = 16 * 1024 * 1024

/** The path below the base URL; a path that was copied whole, with /api/v1, means the same. */
function pathFrom(text: string, baseUrl: string): string {
  if (!text.startsWith('/')) throw usageFailure('The path begins with a slash, such as /messages.')
  const base = new URL(baseUrl).pathname.replace(/\/+$/, '')
  return base !== '' && text.startsWith(`${base}/`) ? text.slice(base.length) : text
}

function bodyIn(text: string): Body {
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
  return { ...bodyIn(await readFileOrInput(context.host, input, maxInputBytes)), ...fields }
}

async function api(context: Context, method: string, path: string, options: ApiOptions): Promise<void> {
  const verb = method.toUpperCase()
  if (!methods.includes(verb))
    throw usageFailure(`The method is one of ${methods.join(', ')}.`, 'Example: msgctl api GET /me')
  const where = pathFrom(path, context.target.baseUrl)
  const input = await inputFrom(context, options)
  if (verb === 'DELETE') await context.confirm(`DELETE ${where}?`)
  const callOptions = { signal: context.host.signal, idempotencyKey: checkedKey(options.idempotencyKey) }
  const call = async (client: Awaited<ReturnType<Context['client']>>) => client.request(verb, where, input, callOptions)
  const { data } = options.asPerson ? await context.asPerson(call) : await call(await context.client())
  const { format } = context.print
  const rows = format === 'table' || format === 'json' ? undefined : rowsIn(data)
  if (rows) return context.print.list(rows, columnsOf(rows[0]))
  if (format !== 'table' || context.options.fields !== undefined) return context.print.record(data, columnsOf(data))
  await context.print.text(`${JSON.stringify(data, null, 2)}\n`)
}

/** The rows of a list: its answer has exactly one value that is a list, and it is one of records. */
function rowsIn(data: unknown): readonly unknown[] | undefined {
  const [list, ...others] = Object.values(data ?? {}).filter(Array.isArray)
  const isRows = list?.every((row) => typeof row === 'object' && row !== null)
  return isRows && others.length === 0 ? list : undefined
}

/** The columns of an answer of any shape: its own fields. */
function columnsOf(row: unknown) {
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
  )
    .argument('<method>', 'GET, POST, PUT or DELETE')
    .argument('<path>', 'the path below the base URL, such as /messages')
    .option('-f, --field <name=value>', 'a field of text: of the query for GET, else of the body', collect, [])
    .option('-F, --typed-field <name=value>', 'a field that is true, false, null, a number or JSON', collect, [])
    .option('--input <file>', 'the body from a JSON file, or - for stdin')
    .option('--as-person', 'as the signed-in person instead of with the key')
    .option(...idempotencyOption('act'))
    .action(run(api))
}
