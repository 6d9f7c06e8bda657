import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cleanUpAfterFile } from '#testing/cleanup.ts'

/** How the fake model behaves. */
export type Mood =
  | 'right'
  /** Refuses a temperature and `max_tokens`. */
  | 'reasoning'
  | 'slow'
  | 'busy'
  | 'broken'
  | 'busy once'
  | 'cut off'
  | 'no json'
  | 'wrong ids'
  | 'a link'
  | 'a lower price'
  | 'huge'
  | 'person'
  | 'yes'

/** A model behind an API for chat completions, with the prices of its calls counted. */
export interface ModelServer {
  readonly url: string
  mood: Mood
  /** The bodies of the requests. */
  readonly asked: { readonly messages: readonly { readonly role: string; readonly content: string }[] }[]
  /** Breaks off the requests that have no response, so that the callers of a slow model wait no longer. */
  hangUp(): void
}

interface Passage {
  readonly id: string
  readonly question: string
  readonly answer: string
}

const usage = { prompt_tokens: 400, completion_tokens: 60, total_tokens: 460 }

/** Starts a fake model on 127.0.0.1; it ends after the tests of the file. */
export async function startModelServer(): Promise<ModelServer> {
  const state: { mood: Mood; asked: ModelServer['asked'] } = { mood: 'right', asked: [] }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString())
    state.asked.push(body)
    if (state.mood === 'reasoning' && ('temperature' in body || 'max_tokens' in body)) {
      response.writeHead(400).end('{"error":{"message":"unsupported parameter","type":"invalid_request_error"}}')
      return
    }
    respond(state.mood, state.asked.length, body.messages, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUpAfterFile(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return Object.assign(state, { url, hangUp: () => server.closeAllConnections() })
}

function respond(
  mood: Mood,
  nth: number,
  messages: ModelServer['asked'][number]['messages'],
  to: ServerResponse,
): void {
  if (mood === 'slow') return
  if (mood === 'busy' || (mood === 'busy once' && nth % 2 === 1)) {
    to.writeHead(429, { 'retry-after': '1' }).end('{"error":{"message":"slow down"}}')
    return
  }
  if (mood === 'broken') {
    to.writeHead(500).end('{"error":{"message":"broken"}}')
    return
  }
  const text = JSON.stringify(completion(contentFor(mood, passagesIn(messages))))
  to.writeHead(200, { 'content-type': 'application/json' })
  if (mood === 'cut off') {
    to.write(text.slice(0, 40))
    setTimeout(() => to.destroy(), 10)
    return
  }
  to.end(mood === 'huge' ? JSON.stringify(completion('x'.repeat(100_000))) : text)
}

function completion(content: string) {
  const message = { role: 'assistant', content, refusal: null }
  const choices = [{ index: 0, message, finish_reason: 'stop', logprobs: null }]
  return { id: 'chatcmpl-1', object: 'chat.completion', created: 1_793_000_000, model: 'fake', choices, usage }
}

function passagesIn(messages: ModelServer['asked'][number]['messages']): Passage[] {
  const system = messages.find(({ role }) => role === 'system')?.content ?? ''
  const line = /^\[.*\]$/m.exec(system)?.[0] ?? '[]'
  return JSON.parse(line)
}

function contentFor(mood: Mood, passages: readonly Passage[]): string {
  const [first] = passages
  const sources = first ? [first.id] : []
  const answer = (text: string, ids = sources) => JSON.stringify({ kind: 'answer', text, sources: ids, intent: null })
  switch (mood) {
    case 'no json':
      return 'Sure! We open at nine.'
    case 'wrong ids':
      return answer('We are open.', ['0190c1d2-7a3b-7c4d-8e5f-60718293a4b5'])
    case 'a link':
      return answer(`${first?.answer} See https://evil.example/pay`)
    case 'a lower price':
      return answer('It costs only 5 EUR for you.')
    case 'person':
      return JSON.stringify({ kind: 'person', text: null, sources: null, intent: null })
    case 'yes':
      return JSON.stringify({ kind: 'intent', text: null, sources: null, intent: 'yes' })
    default:
      return answer(`In short: ${first?.answer}`)
  }
}
