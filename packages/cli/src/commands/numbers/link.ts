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

/** Returns the id of the number. Starts a stopped or failed number first, because only a running one shows a QR. */
export async function readyToLink(
  context: Context,
  client: MessagingClient,
  number: string | undefined,
): Promise<string> {
  const { containerId, status: state } = await client.numbers.status(await optionalContainerId(client, number))
  if (state !== 'STOPPED' && state !== 'FAILED') return containerId
  context.note(`The number is ${state}. Starting it.`)
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
    'show the QR and wait until a phone has scanned it',
    'msgctl numbers link',
    'msgctl numbers link support --timeout 10m',
  )
    .option('--timeout <time>', 'maximum time to wait', '5m')
    .action(run(link))
}
