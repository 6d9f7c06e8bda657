import type { MessagingClient } from '@msgctl/client'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { secondsFrom } from '../../input/duration.ts'
import { addVerb, type Run } from '../../program.ts'
import { stateColumns } from './columns.ts'
import { optionalContainerId } from './reference.ts'
import { readState } from './state-record.ts'
import { waitUntilLinked } from './wait-until-linked.ts'

export interface LinkOptions {
  readonly timeout: string
}

interface QrOptions extends LinkOptions {
  readonly qr?: string
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

async function link(context: Context, number: string | undefined, options: QrOptions): Promise<void> {
  const { timeout, qr } = options
  const timeoutMs = secondsFrom(timeout, '--timeout') * 1000
  const client = await context.client()
  const containerId = await readyToLink(context, client, number)
  await waitUntilLinked(context, client, containerId, {
    timeoutMs,
    drawn: qr === undefined,
    ...(qr !== undefined && { file: qr }),
  })
  await context.print.record(await readState(context, client, { containerId }), stateColumns)
}

/** Adds `numbers link`. */
export function registerLink(numbers: Command, run: Run): void {
  addVerb(
    numbers,
    'link [number]',
    'show the QR and wait until a phone has scanned it',
    'msgctl numbers link',
    'msgctl numbers link support --timeout 10m',
    'msgctl numbers link support -o qr.png',
  )
    .option('-o, --qr <file>', 'write the QR to this PNG file instead of showing it')
    .option('--timeout <time>', 'maximum time to wait', '5m')
    .action(run(link))
}
