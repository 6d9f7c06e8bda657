import type { BinaryNode } from 'baileys'
import { ConnectionLost, NoResponse, Refused } from '../failures.ts'

interface Waiting {
  resolve(): void
  reject(error: Error): void
}

/** Waits for the network to acknowledge messages. The library only waits until a frame was written. */
export class Acknowledgements {
  readonly #waiting = new Map<string, Waiting>()
  #isClosed = false

  /**
   * Resolves when the network acknowledges a message. Throws {@link Refused}, {@link NoResponse} or
   * {@link ConnectionLost}.
   */
  waitFor(id: string, timeoutMs: number): Promise<void> {
    if (this.#isClosed) return Promise.reject(new ConnectionLost())
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#settle(id, (waiting) => waiting.reject(new NoResponse())), timeoutMs)
      this.#waiting.set(id, {
        resolve() {
          clearTimeout(timer)
          resolve()
        },
        reject(error) {
          clearTimeout(timer)
          reject(error)
        },
      })
    })
  }

  /** Handles an acknowledgement of the network. */
  handle({ attrs }: BinaryNode): void {
    const { id = '', error } = attrs
    this.#settle(id, (waiting) => (error ? waiting.reject(new Refused(Number(error))) : waiting.resolve()))
  }

  /** The connection has ended. */
  close(): void {
    this.#isClosed = true
    for (const id of [...this.#waiting.keys()]) this.#settle(id, (waiting) => waiting.reject(new ConnectionLost()))
  }

  #settle(id: string, settle: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (waiting) settle(waiting)
  }
}
