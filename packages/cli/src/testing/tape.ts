import type { IncomingMessage, ServerResponse } from 'node:http'
import { refusal, writeResponse } from './scripted-server.ts'

/** A response of the service, as far as it arrived. */
interface Taped {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly chunks: Buffer[]
  isComplete: boolean
}

/**
 * The responses of the service to one run of a command line. Further runs of the line get the same responses in the
 * same order, so they can differ only in what msgctl prints.
 */
export class Tape {
  readonly #responses = new Map<string, Taped[]>()

  /** Records the response to a call such as `GET /api/v1/messages?limit=20`. */
  record(call: string, received: IncomingMessage): void {
    const taped: Taped = {
      status: received.statusCode ?? 502,
      headers: received.headers,
      chunks: [],
      isComplete: false,
    }
    this.#responses.set(call, [...(this.#responses.get(call) ?? []), taped])
    received.on('data', (chunk: Buffer) => taped.chunks.push(chunk))
    received.on('end', () => {
      taped.isComplete = true
    })
  }

  /**
   * Returns a function that writes the response to a call, each one once, and returns true. A read that the first run
   * did not make is left to the service: then it returns false. Such a change is refused.
   */
  player(): (call: string, response: ServerResponse) => boolean {
    const left = new Map([...this.#responses].map(([call, all]) => [call, [...all]]))
    return (call, response) => {
      const taped = left.get(call)?.shift()
      if (!taped && call.startsWith('GET ')) return false
      if (!taped) {
        writeResponse(response, refusal(400, 'NOT_ON_TAPE', `${call} was not called in the first run.`))
        return true
      }
      response.writeHead(taped.status, taped.headers)
      for (const chunk of taped.chunks) response.write(chunk)
      // A stream that msgctl closed stays open.
      if (taped.isComplete) response.end()
      return true
    }
  }
}
