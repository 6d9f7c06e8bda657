import type { BinaryNode } from 'baileys'
import { ConnectionLost, NoResponse, Refused } from '../failures.ts'

/** The wait for one acknowledgement. */
interface Wait {
  /**
   * Resolves when the network acknowledges the message. Rejects with {@link Refused}, {@link NoResponse} or
   * {@link ConnectionLost}.
   */
  readonly acknowledged: Promise<void>
  /** Ends the wait with this error: the message has not left. */
  cancel(error: Error): void
}

/** Ends a wait: with an error, or with null for an acknowledgement. */
type Settle = (error: Error | null) => void

/** Waits for the network to acknowledge messages. The library only waits until a frame was written. */
export class Acknowledgements {
  readonly #waiting = new Map<string, Settle>()
  #isClosed = false

  /** Begins to wait for the ack of a message. An earlier wait for the same id ends with {@link NoResponse}. */
  waitFor(id: string, timeoutMs: number): Wait {
    if (this.#isClosed) return { acknowledged: Promise.reject(new ConnectionLost()), cancel: () => undefined }
    this.#waiting.get(id)?.(new NoResponse())
    let settle: Settle = () => undefined
    const acknowledged = new Promise<void>((resolve, reject) => {
      settle = (error) => {
        clearTimeout(timer)
        if (this.#waiting.get(id) === settle) this.#waiting.delete(id)
        if (error) reject(error)
        else resolve()
      }
    })
    const timer = setTimeout(() => settle(new NoResponse()), timeoutMs)
    this.#waiting.set(id, settle)
    return { acknowledged, cancel: (error) => settle(error) }
  }

  /** Handles an acknowledgement of the network. */
  handle({ attrs }: BinaryNode): void {
    const { id = '', error } = attrs
    this.#waiting.get(id)?.(error ? new Refused(Number(error)) : null)
  }

  /** The connection has ended. */
  close(): void {
    this.#isClosed = true
    for (const settle of [...this.#waiting.values()]) settle(new ConnectionLost())
  }
}
