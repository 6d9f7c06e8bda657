import type { MessagingClient } from '@msgctl/client'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { type Host, supportsColour } from '../../host.ts'
import { isTransient, type ReadOptions, readWithin } from '../../http/polling.ts'

const pollMs = 1_000

/** What GET /session/qr says, as far as linking looks at it. */
type QrAnswer = Awaited<ReturnType<MessagingClient['numbers']['qr']>>

/** Draws one QR after the other in the same place of a terminal; elsewhere below each other. */
class QrDrawing {
  readonly #context: Context
  #text: string | undefined
  #lines = 0

  constructor(context: Context) {
    this.#context = context
  }

  /** Draws `text` unless it is what is there already. */
  async show(text: string): Promise<void> {
    const { print, host } = this.#context
    if (text === this.#text || print.isMachineReadable) return
    this.#text = text
    const { default: qrcode } = await import('qrcode')
    const colour = supportsColour(host, host.stderr)
    const drawing = await qrcode.toString(text, colour ? { type: 'terminal', small: true } : { type: 'utf8' })
    // Up over the old one, and everything below it away: two QRs on one screen would be scanned wrongly.
    const back = colour && this.#lines > 0 ? `\u001b[${this.#lines}A\u001b[J` : ''
    host.stderr.write(`${back}${drawing.trimEnd()}\n`)
    this.#lines = drawing.trimEnd().split('\n').length
  }

  /** Other lines follow now: the next QR is drawn below them. */
  leave(): void {
    this.#lines = 0
  }
}

function gaveUp(number: string, status: string): CliError {
  return new CliError(`The number was not linked: it is ${status} now.`, {
    code: 'WAIT_FAILED',
    exitCode: exitCodes.waitFailed,
    advice: `Begin again with msgctl numbers link ${number}`,
    details: { status },
  })
}

function timedOut(number: string, status: string): CliError {
  return new CliError(`Time is up and nobody has linked the number: it is ${status}.`, {
    code: 'WAIT_TIMED_OUT',
    exitCode: exitCodes.waitTimedOut,
    advice: `Begin again with msgctl numbers link ${number}`,
    details: { status },
  })
}

/** What the service says a person should do now. */
function instruction(answer: QrAnswer): string {
  if ('qr' in answer) return `${answer.status}: ${answer.qr.message}`
  return 'message' in answer ? `${answer.status}: ${answer.message}` : answer.status
}

/** Whether nothing more will come by itself. FAILED comes after six QRs that nobody scanned. */
function isOver(answer: QrAnswer): boolean {
  return answer.status === 'FAILED' || answer.status === 'STOPPED'
}

/**
 * Shows the QR and every one that follows it, until the number is linked. Throws a CliError when the number stops
 * waiting, or when `timeoutMs` are over.
 */
export async function waitUntilLinked(
  context: Context,
  client: MessagingClient,
  containerId: string,
  { timeoutMs, drawn }: { readonly timeoutMs: number; readonly drawn: boolean },
): Promise<void> {
  const { host } = context
  const end = host.now() + timeoutMs
  const look = (how: ReadOptions) => client.numbers.qr({ containerId, format: 'raw' }, how)
  const drawing = new QrDrawing(context)
  let before: string | undefined
  for (;;) {
    const answer = await readWithin(context, end, look).catch((error: unknown) => {
      // The service may be started anew while a person looks for the phone; the first look must succeed.
      if (before === undefined || !isTransient(error)) throw error
      return undefined
    })
    if (answer?.status === 'already_connected') return
    if (answer && isOver(answer)) throw gaveUp(containerId, answer.status)
    if (answer && answer.status !== before) {
      drawing.leave()
      context.note(instruction(answer))
    }
    before = answer?.status ?? before
    if (drawn && answer && 'qr' in answer && 'text' in answer.qr) await drawing.show(answer.qr.text)
    if (host.now() >= end) throw timedOut(containerId, before ?? 'unknown')
    await pause(host, Math.min(pollMs, end - host.now()))
  }
}

/** Throws when the person presses Ctrl-C meanwhile. */
async function pause(host: Host, ms: number): Promise<void> {
  await host.wait(ms, host.signal)
  host.signal.throwIfAborted()
}
