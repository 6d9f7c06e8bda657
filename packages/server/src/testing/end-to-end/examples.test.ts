import { readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { eventOf, signedDelivery, testSecret } from '@msgctl/webhook-verifier/testing'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { sim, transcriptOf } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { buildServer } from '#testing/worker-process.ts'
import { exampleFile, startExample } from './example-program.ts'

const server = await startTestServer()
const organization = await makeOrganization(server)
const containerId = await makeNumber(server, organization)
const client = server.client(organization)
const environment = { MSG_API_KEY: organization.apiKey, MSG_BASE_URL: server.baseUrl }

/** The text of the latest message that reached a phone. */
async function latestTextTo(phone: string): Promise<string> {
  const [latest] = (await transcriptOf(server, containerId)).filter(({ to }) => to === phone).slice(-1)
  return JSON.stringify(latest?.content ?? null)
}

/** Starts a receiver, makes it the webhook, and returns the program and its address. */
async function startReceiver(file: string) {
  await client.webhook.set({ webhookUrl: 'http://127.0.0.1:4000/' })
  const { signingSecret } = await client.webhook.get()
  const receiver = startExample(file, { PORT: '0', WEBHOOK_SECRET: signingSecret ?? '' })
  const listening = await receiver.line()
  const webhookUrl = new URL(listening.replace('listening at ', '')).href
  await client.webhook.set({ webhookUrl })
  return { receiver, webhookUrl }
}

const forgery = {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'x-service-event': 'message.read',
    'x-service-signature': 't=1,v1=00',
  },
  body: '{}',
}

describe('the examples', { timeout: 60_000 }, () => {
  beforeAll(buildServer, 120_000)

  it('are under 60 lines each, and the application at most 100', () => {
    const files = readdirSync(exampleFile(''), { recursive: true, encoding: 'utf8' }).filter((file) =>
      /mjs$/.test(file),
    )
    expect(files.length).toBeGreaterThan(9)
    for (const file of files) {
      const most = file.startsWith('table-booking/') ? 101 : 60
      expect(readFileSync(exampleFile(file), 'utf8').split('\n').length, file).toBeLessThanOrEqual(most)
    }
  })

  it('send a text and wait until it is read, or report that the recipient is not on the network', async () => {
    const file = 'send-and-wait/send-and-wait.mjs'
    expect(await startExample(file, environment, '+12025550100', 'hello').rest()).toEqual(['12025550100: read'])
    expect(await startExample(file, environment, '+12025550101').rest()).toEqual(['+12025550101 is not on the network'])
  })

  it('receive signed webhooks, and refuse one that was changed', async () => {
    const { receiver, webhookUrl } = await startReceiver('webhook-receiver/receiver.mjs')
    const { messageId } = await client.alert.send({ phone: '12025550100', message: 'hello' })
    const heard = [await receiver.line(), await receiver.line()]
    expect(heard.sort()).toEqual([`delivered to 12025550100 (${messageId})`, `read by 12025550100 (${messageId})`])
    expect((await fetch(webhookUrl, forgery)).status).toBe(400)
  })

  it.each(['express', 'koa', 'hono'])('receive webhooks in %s', async (framework) => {
    const { receiver, webhookUrl } = await startReceiver(`receiver-${framework}/receiver.mjs`)
    await client.alert.send({ phone: '12025550100', message: framework })
    expect(await receiver.line()).toBe('read by 12025550100')
    expect((await fetch(webhookUrl, forgery)).status).toBe(400)
  })

  it('receive webhooks in a route of Next', async () => {
    vi.stubEnv('WEBHOOK_SECRET', testSecret)
    const log = vi.spyOn(console, 'log').mockReturnValue(undefined)
    const { POST } = await import(pathToFileURL(exampleFile('receiver-next/app/webhooks/route.mjs')).href)
    const delivery = await signedDelivery(eventOf('message.read', { recipient: '12025550100' }))
    const request = () => new Request('https://app.example/webhooks', { method: 'POST', ...delivery })
    expect([(await POST(request())).status, (await POST(request())).status]).toEqual([204, 204])
    expect(log.mock.calls).toEqual([['read by 12025550100']])
    expect((await POST(new Request('https://app.example/webhooks', forgery))).status).toBe(400)
    vi.unstubAllEnvs()
    log.mockRestore()
  })

  it('sign in by a code on the phone', async () => {
    const listening = await startExample('otp-login/otp-login.mjs', { ...environment, PORT: '0' }).line()
    const address = listening.replace('listening at ', '')
    const cookies = new Map<string, string>()
    const go = async (path: string, fields?: Record<string, string>) => {
      const init = fields ? { method: 'POST', body: new URLSearchParams(fields) } : {}
      const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
      const response = await fetch(address + path, { ...init, headers, redirect: 'manual' })
      for (const cookie of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
        cookies.set(name, value)
      }
      return response
    }
    expect((await go('/code', { phone: '+12025550101' })).status).toBe(422)
    expect((await go('/code', { phone: '+12025550177' })).status).toBe(200)
    const text = await latestTextTo('12025550177')
    const code = /\d{4,8}/.exec(text)?.[0] ?? expect.fail(text)
    expect((await go('/verify', { code: code === '000000' ? '000001' : '000000' })).status).toBe(422)
    expect(await (await go('/')).text()).toContain('Phone number')
    expect((await go('/verify', { code })).status).toBe(302)
    expect(await (await go('/')).text()).toContain('Signed in as +12025550177')
  })

  it('send a campaign to the people of a CSV file', async () => {
    const file = 'campaign-from-csv/campaign-from-csv.mjs'
    const program = startExample(file, environment, exampleFile('campaign-from-csv/people.csv'))
    expect(await program.line()).toMatch(/^sending/)
    const clock = setInterval(() => void server.advance(5), 50)
    const lines = await program.rest()
    clearInterval(clock)
    expect(lines.some((line) => line.startsWith('completed'))).toBe(true)
    expect(lines.filter((line) => /^1202555020[012] (sent|delivered|read)$/.test(line))).toHaveLength(3)
    expect(await latestTextTo('12025550201')).toContain('Hello Grace, see you at 10:00.')
  })

  it('reply once to each sender', async () => {
    const from = '12025550142'
    await sim(server, 'POST inbound', { containerId, from: '12025550143', text: 'before the bot began' })
    const { events } = await eventually(
      () => client.events.list({ types: 'message.inbound' }),
      (page) => page.events.length > 0,
    )
    const bot = startExample('echo-bot/echo-bot.mjs', { ...environment, AFTER: events.at(-1)?.id ?? '' })
    expect(await bot.line()).toBe('listening')
    await sim(server, 'POST inbound', { containerId, from, text: 'are you there?' })
    expect(await bot.line()).toMatch(/^answered 12025550142 /)
    const answer = await eventually(
      () => latestTextTo(from),
      (text) => text !== 'null',
    )
    expect(answer).toContain('You wrote: are you there?')
    expect(await latestTextTo('12025550143')).toBe('null')
  })

  it('send once under a key of their own, however often they are started', async () => {
    const run = () => startExample('idempotent-retry/idempotent-retry.mjs', environment, 'B-7', '+12025550178').rest()
    const [first, again] = [await run(), await run()]
    expect(first[0]).toMatch(/^order B-7: [\da-f-]{36}$/)
    expect(again).toEqual(first)
    const { total } = await client.messages.list({ search: 'order B-7' })
    expect(total).toBe(1)
  })
})
