import type { MessagingClient } from '@msgctl/client'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { secondsFrom } from '../../input/duration.ts'
import { addVerb, type Run } from '../../program.ts'
import { stateColumns } from './columns.ts'
import { optionalContainerId } from './reference.ts'
import { waitUntilLinked } from './wait-until-linked.ts'

export interface LinkOptions {
  readonly timeout: string
}

/** The number and its state; a number that is down is started first, since only then it shows a QR. */
export async function readyToLink(
  context: Context,
  client: MessagingClient,
  number: string | undefined,
): Promise<string> {
  const { containerId, status: state } = await client.numbers.status(await optionalContainerId(client, number))
  if (state !== 'STOPPED' && state !== 'FAILED') return containerId
  context.note(`The number is ${state}: starting it.`)
  await client.numbers.start({ containerId })
  return containerId
}

async function link(context: Context, number: string | undefined, { timeout }: LinkOptions): Promise<void> {
  const timeoutMs = secondsFrom(timeout, '--timeout') * 1000
  const client = await context.client()
  const containerId = await readyToLink(context, client, number)
  await waitUntilLinked(context, client, containerId, { timeoutMs, drawn: true })
  await context.print.record(await client.numbers.status({ containerId }), stateColumns)
}

/** Adds `numbers link`. */
export function registerLink(numbers: Command, run: Run): void {
  addVerb(
    numbers,
    'link [number]',
    'draw the QR and wait until a phone has scanned it',
    'msgctl numbers link',
    'msgctl numbers link support --timeout 10m',
  )
    .option('--timeout <time>', 'how long to wait', '5m')
    .action(run(link))
}
