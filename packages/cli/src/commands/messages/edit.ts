import type { Context } from '../../context.ts'
import { readText } from '../../input/read-input.ts'
import { verb } from '../../program.ts'
import { withoutSuccess } from './columns.ts'
import { resolveMessageId } from './reference.ts'

const editedColumns = [
  { field: 'messageId', title: 'Message' },
  { field: 'editedAt', title: 'Edited' },
  { field: 'containerId', title: 'Number' },
]

async function edit(context: Context, reference: string, text: string, options: { caption?: true }): Promise<void> {
  const client = await context.client()
  const messageId = await resolveMessageId(client, reference, context.host.signal)
  const newText = await readText(context.host, text)
  const field = options.caption ? { caption: newText } : { message: newText }
  await context.print.record(withoutSuccess(await client.alert.edit({ messageId, ...field })), editedColumns)
}

/** `messages edit`. */
export const editVerb = verb(
  'edit <id> <text>',
  'edit a message sent within the last 15 minutes; - reads the text from stdin',
  edit,
  [
    'msgctl messages edit 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 "At noon, not at one"',
    'msgctl messages edit 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 "Our new menu" --caption',
  ],
  (command) => command.option('--caption', 'edit the caption of a photo, video or file'),
)
