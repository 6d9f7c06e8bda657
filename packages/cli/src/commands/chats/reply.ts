import type { MessagingClient } from '@msgctl/client'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { postAcceptError } from '../../errors/post-accept-error.ts'
import { canAsk } from '../../host.ts'
import { checkedKey, idempotencyOption, noteReplay } from '../../http/idempotency.ts'
import { askText } from '../../input/prompt.ts'
import { readText } from '../../input/read-input.ts'
import { shownText } from '../../output/columns.ts'
import { sanitizeLine } from '../../output/sanitize.ts'
import { addVerb, type Run } from '../../program.ts'
import { optionalContainerId } from '../numbers/reference.ts'

interface ReplyOptions {
  readonly number?: string
  readonly read?: true
  readonly idempotencyKey?: string
}

const columns = [
  { field: 'messageId', title: 'Message' },
  { field: 'status', title: 'Status' },
  { field: 'containerId', title: 'Number' },
]

/** How many of the last messages a person sees above the question. */
const shownMessages = 5

interface Through {
  readonly containerId?: string
}

async function showLast(context: Context, client: MessagingClient, phone: string, through: Through): Promise<void> {
  const { name, messages } = await client.chats.thread({ phone, limit: shownMessages, ...through })
  for (const { at, direction, text } of messages) {
    const who = direction === 'in' ? (name ?? phone) : 'you'
    context.note(sanitizeLine(`${shownText(at)}  ${who}: ${text}`))
  }
}

async function textFrom(
  context: Context,
  client: MessagingClient,
  phone: string,
  typed: string | undefined,
  through: Through,
): Promise<string> {
  if (typed !== undefined) return readText(context.host, typed)
  if (canAsk(context.host)) await showLast(context, client, phone, through)
  return askText(context.host, `To ${phone}`, '', 'Give the text behind the phone, or - to read it from stdin.')
}

async function reply(context: Context, phone: string, typed: string | undefined, options: ReplyOptions): Promise<void> {
  const idempotencyKey = checkedKey(options.idempotencyKey)
  const client = await context.client()
  const through = await optionalContainerId(client, options.number)
  const message = await textFrom(context, client, phone, typed, through)
  const call = { idempotencyKey, signal: context.host.signal }
  const { data, response } = await client.alert.send.withResponse({ phone, message, ...through }, call)
  noteReplay(context, response)
  const { success: _always, ...queued } = data
  await context.print.record(queued, columns)
  if (!options.read) return
  const { marked } = await client.chats.read({ phone }).catch((error: unknown) => {
    throw postAcceptError(context, error, {
      messageId: queued.messageId,
      story: 'The reply was queued, but the chat was not marked read',
      code: 'NOT_MARKED_READ',
      exitCode: exitCodes.partlyDone,
      advice: 'Do not send it again; msgctl chats read marks the chat where the organization may use chats.',
    })
  })
  context.note(`Marked ${marked} read.`)
}

/** Adds `chats reply`. */
export function registerReply(chats: Command, run: Run): void {
  addVerb(
    chats,
    'reply <phone> [text]',
    'answer a person; without a text the chat is shown and the text asked for, - reads it from stdin',
    'msgctl chats reply +12025550100',
    'msgctl chats reply +12025550100 "We open at nine" --read',
  )
    .option('--number <number>', 'the number of the chat: its id, label or phone')
    .option('--read', 'mark the chat read too')
    .option(...idempotencyOption('send'))
    .addHelpText('after', '\nExit code: 0 done, 9 the reply was queued and the chat not marked read.')
    .action(run(reply))
}
