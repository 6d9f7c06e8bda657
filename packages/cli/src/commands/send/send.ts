import type { MessagingClient } from '@msgctl/client'
import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { idempotencyOption, noteReplay, validateKey } from '../../http/idempotency.ts'
import { secondsFrom } from '../../input/duration.ts'
import { literalOption, requireNoPlaceholder } from '../../input/placeholders.ts'
import { readText } from '../../input/read-input.ts'
import { phoneComesFirst, readPhone } from '../../input/written-phone.ts'
import { defineColumns } from '../../output/columns.ts'
import { examples, type Run } from '../../program.ts'
import { optionalContainerId } from '../numbers/reference.ts'
import { addDirectVerbs } from './direct.ts'
import { printAccepted, type WaitOptions, waitOptions } from './wait.ts'

interface SendOptions extends WaitOptions {
  readonly priority?: 'high' | 'normal' | 'low'
  readonly from?: string
  readonly reference?: string
  readonly idempotencyKey?: string
  readonly literal?: true
}

const sentColumns = defineColumns('messageId as Message, status, priority, containerId as Number')

async function queue(context: Context, client: MessagingClient, to: string, text: string, options: SendOptions) {
  const phone = await readPhone(context, to, { advice: phoneComesFirst })
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

async function send(context: Context, phone: string, text: string, options: SendOptions): Promise<void> {
  secondsFrom(options.timeout, '--timeout')
  const client = await context.client()
  const queued = await queue(context, client, phone, text, options)
  await printAccepted(context, client, queued, { columns: sentColumns, state: 'queued' }, options)
}

export function register(command: Command, run: Run): void {
  const sending = examples(
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
  waitOptions(sending)
    .option(...literalOption)
    .option(...idempotencyOption)
    .addHelpText(
      'after',
      '\nExit code with --wait: 11 failed, 12 queued, but timed out or the status could not be read.',
    )
    .action(run(send))
  addDirectVerbs(command.usage('[options] <phone> <text>'), run)
}
