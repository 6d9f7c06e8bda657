import { type Agent, type IncomingMessage, request } from 'node:http'
import type { RequestDraft } from './request-builder.ts'

/** A request exactly as it goes out. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer | undefined
}

/** What came back. Of a stream only its beginning. */
export interface Received {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

/** The draft as it goes out. */
export function toSent(baseUrl: string, draft: RequestDraft): Sent {
  const { operation, params, query, json, rawBody } = draft
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => params.get(name) ?? '')
  const body = rawBody ?? (json === undefined ? undefined : Buffer.from(JSON.stringify(json)))
  const named = draft.headers.some(([name]) => name.toLowerCase() === 'content-type')
  const type: [string, string][] = body && !named ? [['Content-Type', 'application/json']] : []
  return {
    method: operation.method,
    url: `${baseUrl}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers: [...type, ...draft.headers],
    body,
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The request as a command for a shell; bytes that no command line can hold come through base64. */
export function asCurl({ method, url, headers, body }: Sent): string {
  const parts = ['curl', '-sS', '-i', '-X', method, '--globoff', '--path-as-is', quoted(url)]
  for (const [name, value] of headers) parts.push('-H', quoted(value === '' ? `${name};` : `${name}: ${value}`))
  if (!body) return parts.join(' ')
  const text = body.toString()
  const plain = body.length < 20_000 && !text.includes('\0') && Buffer.from(text).equals(body)
  if (plain) return [...parts, '--data-raw', quoted(text)].join(' ')
  return `echo ${body.toString('base64').slice(0, 20_000)} | base64 -d | ${parts.join(' ')} --data-binary @-`
}

const answerTimeoutMs = 20_000

/** Sends a request and reads the answer; of an event stream what its first 30 ms bring. Throws when no answer comes. */
export function send(agent: Agent, { method, url, headers, body }: Sent): Promise<Received> {
  return new Promise((resolve, reject) => {
    const length = body ? { 'Content-Length': String(body.length) } : {}
    const [, hostname = '', port = '', path = ''] = url.match(/^http:\/\/([^:/]+):(\d+)(.*)$/) ?? []
    const outgoing = request(
      {
        // In parts, so that the path is not normalized.
        ...{ hostname, port, path, method, agent },
        headers: { ...Object.fromEntries(headers), ...length },
        timeout: answerTimeoutMs,
      },
      (response) => {
        const chunks: Buffer[] = []
        const done = () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          })
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        if (response.headers['content-type']?.startsWith('text/event-stream')) {
          response.on('error', () => undefined)
          setTimeout(() => {
            done()
            outgoing.destroy()
          }, 30)
        } else {
          response.on('end', done)
          response.on('error', reject)
        }
      },
    )
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${answerTimeoutMs} ms`)))
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
