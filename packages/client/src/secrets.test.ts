import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { MessagingClient } from './client.ts'
import { apiKey, connect, errorFrom } from './test/connect.ts'
import { type Answer, closedPort, hang, json } from './test/scripted-server.ts'
import type { Transport } from './transport.ts'

/** The usual ways to print a value. */
function printed(value: unknown): string {
  const deep = { depth: 20, showHidden: true, getters: true } as const
  const stack = value instanceof Error ? `${value.stack} ${inspect(value.cause, deep)}` : ''
  return [String(value), JSON.stringify(value), inspect(value, deep), stack].join('\n')
}

function expectNoSecret(value: unknown, secret = apiKey): void {
  expect(printed(value)).not.toContain(secret)
  // Half of a key is too much already.
  expect(printed(value)).not.toContain(secret.slice(0, 30))
}

describe('the key', () => {
  it('is not visible in any printed form of the client', async () => {
    const client = new MessagingClient({ apiKey, baseUrl: 'http://127.0.0.1:9/api/v1' })
    expectNoSecret(client)
    expectNoSecret({ ...client })
    expectNoSecret(client.alert.send)
    expectNoSecret(MessagingClient)
  })

  it('is not in any response', async () => {
    const { client, server } = await connect({}, json(200, { success: true }))
    expectNoSecret(await client.account.me.withResponse())
    expect(server.requests[0]?.headers['x-api-key']).toBe(apiKey)
  })

  it('is redacted where a proxy or the service echoes it', async () => {
    const page: Answer = (response, { headers }) => {
      response.writeHead(502).end(`<pre>X-API-Key: ${headers['x-api-key']}</pre>`)
    }
    const envelope: Answer = (response, { headers }) => {
      const error = { code: 'ODD', message: `No ${headers['x-api-key']}`, details: { sent: headers['x-api-key'] } }
      response.writeHead(400).end(JSON.stringify({ success: false, error }))
    }
    const away: Answer = (response, { headers }) => {
      response.writeHead(302, { location: `/login?key=${headers['x-api-key']}` }).end()
    }
    const { client } = await connect({ maxRetries: 0 }, page, envelope, away)
    for (const code of ['UNKNOWN', 'ODD', 'REDIRECTED']) {
      const error = await errorFrom(client.account.me())
      expect(error.code).toBe(code)
      expectNoSecret(error)
      expect(printed(error)).toContain('[redacted]')
    }
  })

  it('is redacted in the errors of a transport', async () => {
    const careless: Transport = async (url, request) => {
      throw Object.assign(new Error(`POST ${url} with ${request.headers['x-api-key']} failed`), { request })
    }
    const { client } = await connect({ fetch: careless, maxRetries: 0 }, hang)
    const error = await errorFrom(client.alert.send({ phone: '+12025550100', message: 'x' }))
    expect(error.message).toContain('[redacted] failed')
    expectNoSecret(error)
  })

  it('is in no error of the real fetch', async () => {
    const { client } = await connect({ baseUrl: `http://127.0.0.1:${await closedPort()}/api/v1` }, hang)
    const error = await errorFrom(client.account.me())
    expect(error.cause).toMatchObject({ code: 'ECONNREFUSED' })
    expectNoSecret(error)
  })

  it('is in no error of a stream', async () => {
    const { client } = await connect({}, (response, { headers }) => {
      response.writeHead(403).end(`no ${headers['x-api-key']}`)
    })
    expectNoSecret(await errorFrom(client.events.stream().next()))
  })

  it('is protected like a token and credential headers', async () => {
    const secret = 'tok_0123456789abcdef0123456789abcdef'
    const echo: Answer = (response, { headers }) => {
      response.writeHead(400).end(headers.authorization)
    }
    for (const options of [{ token: secret }, { headers: { Authorization: secret } }]) {
      const { client } = await connect({ apiKey: undefined, ...options }, echo)
      expectNoSecret(await errorFrom(client.account.me()), secret)
    }
  })
})
