import type { MessagingClient } from '@msgctl/client'
import type { Context } from '../../context.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { postAcceptError } from '../../errors/post-accept-error.ts'
import { canPrompt } from '../../host.ts'
import { idempotencyOption, noteReplay, validateKey } from '../../http/idempotency.ts'
import { literalOption, requireNoPlaceholder } from '../../input/placeholders.ts'
import { askText } from '../../input/prompt.ts'
import { readText } from '../../input/read-input.ts'
import { defineColumns } from '../../output/columns.ts'
import { sanitizeLine } from '../../output/sanitize.ts'
import { verb } from '../../program.ts'
import { optionalContainerId } from '../numbers/reference.ts'

interface ReplyOptions {
  readonly number?: string
  readonly read?: true
  readonly idempotencyKey?: string
  readonly literal?: true
}

const columns = defineColumns('messageId as Message, status, containerId as Number')

/** How many messages are shown above the prompt. */
const shownMessages = 5

interface Through {
  readonly containerId?: string
}

async function showLast(context: Context, client: MessagingClient, phone: string, through: Through): Promise<void> {
  const { name, messages } = await client.chats.thread({ phone, limit: shownMessages, ...through })
  for (const { at, direction, text } of messages) {
    const who = direction === 'in' ? (name ?? phone) : 'you'
    context.note(sanitizeLine(`${context.print.times.absolute(at)}  ${who}: ${text}`))
  }
}

async function readReply(
  context: Context,
  client: MessagingClient,
  phone: string,
  typed: string | undefined,
  through: Through,
): Promise<string> {
  if (typed !== undefined) return readText(context.host, typed)
  if (canPrompt(context.host)) await showLast(context, client, phone, through)
  return askText(context.host, `To ${phone}`, '', 'Pass the text after the phone number, or - to read it from stdin.')
}

async function reply(context: Context, phone: string, typed: string | undefined, options: ReplyOptions): Promise<void> {
  const idempotencyKey = validateKey(options.idempotencyKey)
  const client = await context.client()
  const through = await optionalContainerId(client, options.number)
  const message = await readReply(context, client, phone, typed, through)
  requireNoPlaceholder(message, options.literal, 'Fill it in, or pass --literal to send it as it is.')
  const call = { idempotencyKey, signal: context.host.signal }
  const { data, response } = await client.alert.send.withResponse({ phone, message, ...through }, call)
  noteReplay(context, response)
  const { success: _always, ...queued } = data
  await context.print.record(queued, columns)
  if (!options.read) context.note(`See whether it was sent with: msgctl messages show ${queued.messageId}`)
  if (!options.read) return
  const { marked } = await client.chats.read({ phone }).catch((error: unknown) => {
    throw postAcceptError(context, error, {
      messageId: queued.messageId,
      story: 'The reply was queued, but the chat was not marked as read',
      code: 'NOT_MARKED_READ',
      exitCode: exitCodes.partlyDone,
      advice: 'Do not send it again; mark the chat with msgctl chats read, if the organization may use chats.',
    })
  })
  context.note(`Marked ${marked} as read.`)
}

/** `chats reply`. */
export const replyVerb = verb(
  'reply <phone> [text]',
  'reply to a contact; without a text, show the chat and prompt for it; - reads it from stdin',
  reply,
  ['msgctl chats reply +12025550100', 'msgctl chats reply +12025550100 "We open at nine" --read'],
  (command) =>
    command
      .option('--number <number>', 'number of the chat: id, label or phone')
      .option('--read', 'also mark the chat as read')
      .option(...literalOption)
      .option(...idempotencyOption)
      .addHelpText('after', '\nExit code: 0 done, 9 the reply was queued but the chat was not marked as read.'),
)
