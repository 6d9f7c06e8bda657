import type { MessagingClient } from '@msgctl/client'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { secondsFrom } from '../../input/duration.ts'
import type { Column } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
import { movedColumns, stateColumns } from './columns.ts'
import { optionalContainerId } from './reference.ts'
import { readState } from './state-record.ts'
import { waitUntilLinked } from './wait-until-linked.ts'

interface LinkOptions {
  readonly timeout: string
  readonly again?: boolean
}

interface QrOptions extends LinkOptions {
  readonly qr?: string
}

/** What a person reads instead of another QR after two links that failed. */
function discouraged(containerId: string, warning: string): CliError {
  return new CliError(warning, {
    code: 'LINKS_FAILED',
    exitCode: exitCodes.conflict,
    advice: `Link it in spite of that with: msgctl numbers link ${containerId} --again`,
    details: { containerId },
  })
}

/**
 * Returns the id of the number. Starts a stopped or failed number first, because only a running one shows a QR. Throws
 * a CliError for a number whose last two links failed, unless `again` is set.
 */
async function readyToLink(
  context: Context,
  client: MessagingClient,
  number: string | undefined,
  again: boolean,
): Promise<string> {
  const {
    containerId,
    status: state,
    linkWarning,
  } = await client.numbers.status(await optionalContainerId(client, number))
  if (linkWarning && !again) throw discouraged(containerId, linkWarning)
  if (state !== 'STOPPED' && state !== 'FAILED') return containerId
  context.note(`The number is ${state}. Starting it.`)
  await client.numbers.start({ containerId })
  return containerId
}

const againOption = ['--again', 'link it although its last two links failed'] as const

async function link(context: Context, number: string | undefined, options: QrOptions): Promise<void> {
  const { timeout, qr, again = false } = options
  const timeoutMs = secondsFrom(timeout, '--timeout') * 1000
  const client = await context.client()
  const containerId = await readyToLink(context, client, number, again)
  await waitUntilLinked(context, client, containerId, {
    timeoutMs,
    drawn: qr === undefined,
    ...(qr !== undefined && { file: qr }),
  })
  await context.print.record(await readState(context, client, { containerId }), stateColumns)
}

/** Phones show the code in two groups of four. */
const codeColumn: Column = {
  field: 'code',
  title: 'Code',
  show: (code) => String(code).replace(/^(.{4})(.{4})$/, '$1-$2'),
}

interface PairOptions extends LinkOptions {
  readonly number?: string
  readonly wait?: true
}

async function pair(
  context: Context,
  phone: string,
  { number, wait, timeout, again = false }: PairOptions,
): Promise<void> {
  const timeoutMs = secondsFrom(timeout, '--timeout') * 1000
  const client = await context.client()
  const containerId = await readyToLink(context, client, number, again)
  const response = await client.numbers.pair({ phone, containerId })
  await context.print.record(response, [codeColumn, ...movedColumns])
  if (wait) await waitUntilLinked(context, client, containerId, { timeoutMs, drawn: false })
}

/** `numbers link|pair`. */
export const linkVerbs = verbs(
  verb(
    'link [number]',
    'show the QR and wait until a phone has scanned it',
    link,
    ['msgctl numbers link', 'msgctl numbers link support --timeout 10m', 'msgctl numbers link support -o qr.png'],
    (command) =>
      command
        .option('-o, --qr <file>', 'write the QR to this PNG file instead of showing it')
        .option('--timeout <time>', 'maximum time to wait', '5m')
        .option(...againOption),
  ),
  verb(
    'pair <phone>',
    'get a pairing code to enter on the phone instead of a QR',
    pair,
    ['msgctl numbers pair +12025550199 --number support --wait'],
    (command) =>
      command
        .option('--number <number>', 'number to link: id, label or phone')
        .option('--wait', 'wait until the number is linked')
        .option('--timeout <time>', 'maximum time to wait', '5m')
        .option(...againOption),
  ),
)
