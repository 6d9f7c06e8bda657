import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { MessagingClient } from '@msgctl/client'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { type Host, supportsColour } from '../../host.ts'
import { isTransient, type ReadOptions, readWithin } from '../../http/polling.ts'

const pollMs = 1_000

/** The response of GET /session/qr. */
type QrResponse = Awaited<ReturnType<MessagingClient['numbers']['qr']>>

/** Draws each QR in place of the previous one on a terminal, elsewhere below it. */
class QrDrawing {
  readonly #context: Context
  #text: string | undefined
  #lines = 0
  #isTooLargeNoted = false

  constructor(context: Context) {
    this.#context = context
  }

  /** Draws `text` unless it is already shown. */
  async show(text: string): Promise<void> {
    const { print, host } = this.#context
    if (text === this.#text || print.isMachineReadable) return
    const { default: qrcode } = await import('qrcode')
    const colour = supportsColour(host, host.stderr)
    const options = colour ? ({ type: 'terminal', small: true } as const) : ({ type: 'utf8' } as const)
    const drawing = (await qrcode.toString(text, options)).trimEnd()
    // It is drawn as soon as the window is large enough.
    if (!this.#fits(drawing)) return
    this.#text = text
    // Erase the previous QR: with two on one screen, the wrong one could be scanned.
    const back = colour && this.#lines > 0 ? `\u001b[${this.#lines}A\u001b[J` : ''
    host.stderr.write(`${back}${drawing}\n`)
    this.#lines = drawing.split('\n').length
  }

  /** Returns whether all of the QR is seen in the window. A phone cannot read a part; a note says it once. */
  #fits(drawing: string): boolean {
    const { note, host } = this.#context
    const { columns = Number.POSITIVE_INFINITY, rows = Number.POSITIVE_INFINITY, isTTY } = host.stderr
    const lines = stripVTControlCharacters(drawing).trimEnd().split('\n')
    const width = Math.max(...lines.map((line) => line.length))
    // The cursor stands on a line of its own.
    const height = lines.length + 1
    if (isTTY !== true || (width <= columns && height <= rows)) return true
    if (!this.#isTooLargeNoted)
      note(
        `The QR needs a window of ${width} columns and ${height} rows; this one has ${columns} and ${rows}. Enlarge ` +
          'it, or write the QR to a file with msgctl numbers link -o qr.png, or show it with msgctl open numbers.',
      )
    this.#isTooLargeNoted = true
    return false
  }

  /** Called before other output: the next QR is drawn below it. */
  leave(): void {
    this.#lines = 0
  }
}

function linkFailed(number: string, status: string): CliError {
  return new CliError(`The number was not linked: its status is ${status}.`, {
    code: 'WAIT_FAILED',
    exitCode: exitCodes.waitFailed,
    advice: `Try again with: msgctl numbers link ${number}`,
    details: { status },
  })
}

function timedOut(number: string, status: string): CliError {
  return new CliError(`Timed out: the number was not linked; its status is ${status}.`, {
    code: 'WAIT_TIMED_OUT',
    exitCode: exitCodes.waitTimedOut,
    advice: `Try again with: msgctl numbers link ${number}`,
    details: { status },
  })
}

/** Returns the status, with the instruction of the service if there is one. */
function instruction(response: QrResponse): string {
  if ('qr' in response) return `${response.status}: ${response.qr.message}`
  return 'message' in response ? `${response.status}: ${response.message}` : response.status
}

/** Returns whether linking has ended. A number is FAILED after six QRs that were not scanned. */
function isOver(response: QrResponse): boolean {
  return response.status === 'FAILED' || response.status === 'STOPPED'
}

/** How to wait, and where the QR goes. */
export interface LinkWait {
  readonly timeoutMs: number
  /** Whether the QR is drawn on the terminal. */
  readonly drawn: boolean
  /** The PNG file that the current QR is written to. */
  readonly file?: string
}

/** Writes the QR as a PNG file. */
async function writeQr({ host, note }: Context, file: string, text: string): Promise<void> {
  const { default: qrcode } = await import('qrcode')
  await qrcode.toFile(path.resolve(host.cwd, file), text, { type: 'png', width: 512 })
  note(`The QR is in ${file}. It changes about every minute and at its first scan; the file is then written again.`)
}

/**
 * Shows the current QR until the number is linked. Throws a CliError when the number stops waiting for a scan, or after
 * `timeoutMs`.
 */
export async function waitUntilLinked(
  context: Context,
  client: MessagingClient,
  containerId: string,
  { timeoutMs, drawn, file }: LinkWait,
): Promise<void> {
  const { host } = context
  const end = host.now() + timeoutMs
  const readQr = (options: ReadOptions) => client.numbers.qr({ containerId, format: 'raw' }, options)
  const drawing = new QrDrawing(context)
  let before: string | undefined
  let written: string | undefined
  for (;;) {
    const response = await readWithin(context, end, readQr).catch((error: unknown) => {
      // The service may restart while the user fetches the phone; only the first read must succeed.
      if (before === undefined || !isTransient(error)) throw error
      return undefined
    })
    if (response?.status === 'already_connected') return
    if (response && isOver(response)) throw linkFailed(containerId, response.status)
    if (response && response.status !== before) {
      drawing.leave()
      // After a scan the number is STARTING until it is connected.
      context.note(
        before === 'SCAN_QR_CODE' && response.status === 'STARTING' ? 'Scanned. Connecting.' : instruction(response),
      )
    }
    before = response?.status ?? before
    const text = response && 'qr' in response && 'text' in response.qr ? response.qr.text : undefined
    if (text !== undefined && file !== undefined && text !== written) await writeQr(context, file, text)
    if (text !== undefined && drawn) await drawing.show(text)
    written = text ?? written
    if (host.now() >= end) throw timedOut(containerId, before ?? 'unknown')
    await pause(host, Math.min(pollMs, end - host.now()))
  }
}

/** Waits, and throws on Ctrl-C. */
async function pause(host: Host, ms: number): Promise<void> {
  await host.wait(ms, host.signal)
  host.signal.throwIfAborted()
}
