import type { MessagingClient } from '@msgctl/client'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { idempotencyOption, noteReplay, validateKey } from '../../http/idempotency.ts'
import { secondsFrom } from '../../input/duration.ts'
import { phoneComesFirst, readPhone } from '../../input/written-phone.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { optionalContainerId } from '../numbers/reference.ts'
import { printAccepted, type WaitOptions, waitOptions } from './wait.ts'

interface Envelope {
  readonly phone: string
  readonly containerId?: string
  readonly clientReference?: string
}

export interface Options extends WaitOptions {
  readonly from?: string
  readonly reference?: string
  readonly idempotencyKey?: string
}

export interface FileOptions extends Options {
  readonly caption?: string
  readonly filename?: string
  readonly mimetype?: string
}

const sentColumns = defineColumns('messageId as Message, gatewayMessageId as Network id, containerId as Number')

/** The minimum timeout: the service fetches a file for up to 20 s and then sends it. */
const minTimeoutMs = 60_000

/** The API call of one verb, with the input that all verbs share. */
type Call = (
  client: MessagingClient,
  envelope: Envelope,
  settings: { idempotencyKey: string | undefined; signal: AbortSignal; timeoutMs: number },
) => ReturnType<MessagingClient['alert']['sendPoll']['withResponse']>

export async function send(context: Context, to: string, options: Options, call: Call): Promise<void> {
  const phone = await readPhone(context, to, { advice: phoneComesFirst })
  secondsFrom(options.timeout, '--timeout')
  const idempotencyKey = validateKey(options.idempotencyKey)
  const client = await context.client()
  const envelope: Envelope = {
    phone,
    ...(options.reference !== undefined && { clientReference: options.reference }),
    ...(await optionalContainerId(client, options.from)),
  }
  const timeoutMs = Math.max(context.timeoutMs, minTimeoutMs)
  const { data, response } = await call(client, envelope, { idempotencyKey, signal: context.host.signal, timeoutMs })
  noteReplay(context, response)
  const { success: _always, ...sent } = data
  await printAccepted(context, client, sent, { columns: sentColumns, state: 'sent' }, options)
}

export function fileFields({ caption, filename, mimetype }: FileOptions) {
  return {
    ...(caption !== undefined && { caption }),
    ...(filename !== undefined && { filename }),
    ...(mimetype !== undefined && { mimetype }),
  }
}

/** Returns a verb with the options of every direct send, and then those of `options`. */
export const sendVerb: typeof verb = (usage, summary, action, lines, options = (command) => command) =>
  verb(usage, summary, action, lines, (command) =>
    options(
      waitOptions(
        command
          .option('--from <number>', 'send through this number: id, label or phone')
          .option('--reference <text>', 'your own reference, included in messages and events'),
      ).option(...idempotencyOption),
    ),
  )

/** Adds the options of a file. */
export function fileOptions(command: Command): Command {
  return command
    .option('--caption <text>', 'caption')
    .option('--filename <name>', 'file name shown to the recipient')
    .option('--mimetype <type>', 'media type, such as image/png (default: detected)')
}
