import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { parseFields } from '../../input/form-fields.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
import { callMcp } from './json-rpc.ts'

const columns = defineColumns('name as Tool, title, annotations.readOnlyHint as Only reads')

async function tools(context: Context): Promise<void> {
  const result = await callMcp(await context.client(), 'tools/list', {}, context.host.signal)
  await context.print.list(result.tools as Record<string, unknown>[], columns)
}

interface CallOptions {
  readonly field: readonly string[]
  readonly typedField: readonly string[]
}

async function call(context: Context, name: string, { field, typedField }: CallOptions): Promise<void> {
  const args = { name, arguments: parseFields(field, typedField) }
  const result = await callMcp(await context.client(), 'tools/call', args, context.host.signal)
  if (result.isError) throw refused(result)
  const answer = result.structuredContent as Record<string, unknown>
  if (context.print.format !== 'table') {
    await context.print.record(
      answer,
      Object.keys(answer).map((one) => ({ field: one, title: one })),
    )
    return
  }
  await context.print.text(`${JSON.stringify(answer, null, 2)}\n`)
}

/** Returns the error of a tool as one of msgctl. */
function refused(result: Record<string, unknown>): CliError {
  const [content] = result.content as { text: string }[]
  const { error } = JSON.parse(content?.text ?? '{}') as { error: { code: string; message: string; details?: object } }
  const { code, message, details } = error
  return new CliError(message, { code, exitCode: exitCodes.usage, ...(details && { details: { ...details } }) })
}

function collect(value: string, all: readonly string[]): readonly string[] {
  return [...all, value]
}

/** `mcp tools` and `mcp call`. */
export const toolsVerbs = verbs(
  verb('tools', 'list the tools that an AI client with your key would see', tools, ['msgctl mcp tools']),
  verb(
    'call <tool>',
    'call a tool as an AI client would',
    call,
    ['msgctl mcp call list_numbers', 'msgctl mcp call read_chat -f phone=+12025550100 -F limit=5'],
    (command) =>
      command
        .option('-f, --field <name=value>', 'argument with a text; can be repeated', collect, [])
        .option('-F, --typed-field <name=value>', 'argument with a JSON value; can be repeated', collect, []),
  ),
)
