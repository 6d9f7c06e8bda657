import type { MessagingClient } from '@msgctl/client'
import { type Command, Option } from 'commander'
import { isNumberKey } from '../../config/target.ts'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { postAcceptError } from '../../errors/post-accept-error.ts'
import { idempotencyOption, noteReplay, validateKey } from '../../http/idempotency.ts'
import type { ReadOptions } from '../../http/polling.ts'
import { secondsFrom } from '../../input/duration.ts'
import { requirePhone } from '../../input/phone-list.ts'
import { literalOption, requireNoPlaceholder } from '../../input/placeholders.ts'
import { readText } from '../../input/read-input.ts'
import { examples, type Run } from '../../program.ts'
import { messageColumns } from '../messages/columns.ts'
import { type Waited, type WaitGoal, waitExitCodes, waitForMessage, waitGoals } from '../messages/wait-for-message.ts'
import { optionalContainerId } from '../numbers/reference.ts'
import { registerDirect } from './direct.ts'

interface SendOptions {
  readonly priority?: 'high' | 'normal' | 'low'
  readonly from?: string
  readonly reference?: string
  readonly wait?: WaitGoal
  readonly timeout: string
  readonly idempotencyKey?: string
  readonly literal?: true
}

const sentColumns = [
  { field: 'messageId', title: 'Message' },
  { field: 'status', title: 'Status' },
  { field: 'priority', title: 'Priority' },
  { field: 'containerId', title: 'Number' },
]

async function queue(context: Context, client: MessagingClient, phone: string, text: string, options: SendOptions) {
  requirePhone(phone)
  const idempotencyKey = validateKey(options.idempotencyKey)
  const message = await readText(context.host, text)
  const campaign = 'Use msgctl campaigns create for a text with placeholders, or pass --literal to send it as it is.'
  requireNoPlaceholder(message, options.literal, campaign)
  const input = {
    phone,
    message,
    ...(options.priority && { priority: options.priority }),
    ...(options.reference !== undefined && { clientReference: options.reference }),
    ...(await optionalContainerId(client, options.from)),
  }
  const { data, response } = await client.alert.send.withResponse(input, {
    idempotencyKey,
    signal: context.host.signal,
  })
  noteReplay(context, response)
  const { success: _always, ...queued } = data
  // Under the name that every message has, too.
  return { id: queued.messageId, ...queued }
}

/** Returns a function that reads the message. A number's key uses another path than the account key. */
function createReader(context: Context, client: MessagingClient, messageId: string) {
  const ofNumber = isNumberKey(context.target.credentials.apiKey)
  return async (options: ReadOptions) =>
    ofNumber
      ? (await client.alert.message({ messageId }, options)).message
      : (await client.messages.get({ id: messageId }, options)).message
}

function waitFailure(waited: Exclude<Waited, { end: 'reached' }>, goal: WaitGoal, messageId: string): CliError {
  const exitCode = waitExitCodes[waited.end]
  const advice = `See msgctl messages show ${messageId}`
  const status = waited.message?.status ?? 'queued'
  if (waited.end === 'timed out') {
    return new CliError(`Timed out: the message is ${status}, not ${goal}. It may still be ${goal} later.`, {
      code: 'WAIT_TIMED_OUT',
      exitCode,
      advice,
      details: { messageId, status },
    })
  }
  const { error, errorCode } = waited.message
  const details = { messageId, status, errorCode }
  return new CliError(`The message failed: ${error ?? errorCode ?? 'the network gave no reason'}`, {
    code: 'WAIT_FAILED',
    exitCode,
    advice,
    details,
  })
}

/** Creates the error for a wait that ended with `error`, so that the state of the message is unknown. */
function waitAborted(context: Context, error: unknown, messageId: string): CliError {
  return postAcceptError(context, error, {
    messageId,
    story: 'The message was queued, but its status could not be read',
    code: 'WAIT_GAVE_UP',
    exitCode: exitCodes.waitTimedOut,
    advice: `Do not send it again; check it with: msgctl messages show ${messageId}`,
  })
}

async function send(context: Context, phone: string, text: string, options: SendOptions): Promise<void> {
  const timeoutMs = secondsFrom(options.timeout, '--timeout') * 1000
  const client = await context.client()
  const queued = await queue(context, client, phone, text, options)
  if (options.wait === undefined) return context.print.record(queued, sentColumns)
  context.note(`queued as ${queued.messageId}`)
  // The data is always printed: a script needs the id.
  const read = createReader(context, client, queued.messageId)
  const waited = await waitForMessage(context, read, options.wait, timeoutMs).catch(async (error: unknown) => {
    await context.print.record(queued, sentColumns)
    throw waitAborted(context, error, queued.messageId)
  })
  if (waited.message) await context.print.record({ messageId: waited.message.id, ...waited.message }, messageColumns)
  else await context.print.record(queued, sentColumns)
  if (waited.end !== 'reached') throw waitFailure(waited, options.wait, queued.messageId)
}

export function register(command: Command, run: Run): void {
  examples(
    command,
    'msgctl send +12025550100 "Your table is ready"',
    'msgctl send +12025550100 "Fire drill at noon" --priority high --wait delivered --timeout 2m',
    'date | msgctl send +12025550100 - --from support',
    'msgctl send image +12025550100 ./menu.png',
  )
    .argument('<phone>', 'international phone number, or an id ending in @lid')
    .argument('<text>', 'text, or - to read it from stdin')
    .addOption(
      new Option('--priority <level>', 'priority in the queue (default: normal)').choices(['high', 'normal', 'low']),
    )
    .option('--from <number>', 'send through this number: id, label or phone')
    .option('--reference <text>', 'your own reference, included in messages and events')
    .addOption(new Option('--wait <state>', 'wait until the message has this status').choices(waitGoals))
    .option('--timeout <time>', 'maximum time to wait, such as 90s or 5m', '60s')
    .option(...literalOption)
    .option(...idempotencyOption)
    .addHelpText(
      'after',
      '\nExit code with --wait: 11 failed, 12 queued, but timed out or the status could not be read.',
    )
    .action(run(send))
  registerDirect(command.usage('[options] <phone> <text>'), run)
}
