import { MessagingClient } from '@msgctl/client'
import { expect, it } from 'vitest'
import { cleanUpAfterFile } from '#testing/cleanup.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startSilentLink } from '#testing/silent-link.ts'
import { startTestServer } from '#testing/start-server.ts'
import { createApp, listen } from './app.ts'
import { handlers } from './handlers.ts'
import { startServices } from './start-services.ts'

const known = await startTestServer({ worker: false })

/** A service that reaches the database over a link, and gives up soon what the others give up after 35 and 100 s. */
async function startBehindLink() {
  const link = await startSilentLink(known.databaseUrl)
  const { config } = known.services
  const lines: string[] = []
  const services = await startServices({ ...config, logLevel: 'info' }, link.url, {
    responseTimeoutMs: 1000,
    logTo: { write: (line) => void lines.push(line) },
  })
  const http = await listen(createApp(services, handlers, { strict: true, workMs: 2000 }), config)
  cleanUpAfterFile(async () => {
    await http.stop()
    await services.stop()
  })
  const logged = () => lines.map((line) => JSON.parse(line))
  return { link, baseUrl: `${http.address}/api/v1`, logged }
}

it('responds to every request while the database hangs, and serves again once it is back', async () => {
  const organization = await makeOrganization(known)
  await makeNumber(known, organization)
  const { link, baseUrl, logged } = await startBehindLink()
  const client = new MessagingClient({ baseUrl, apiKey: organization.apiKey, maxRetries: 0 })
  const calls = [
    () => client.messages.list({}),
    () => client.account.me(),
    () => client.alert.send({ phone: '+12025550100', message: 'hello' }),
    () => client.numbers.list(),
  ]
  const call = (count: number) => Array.from({ length: count }, (_, n) => calls[n % calls.length]?.())
  const areServed = () =>
    eventually(
      () => Promise.allSettled(call(calls.length)),
      (served) => served.every(({ status }) => status === 'fulfilled'),
    )
  await areServed()

  const inFlight = call(20)
  link.silence(true)
  const outcomes = await Promise.allSettled([...inFlight, ...call(20)])
  const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'done'))
  // A send may have begun before the database hung. Nothing is left without a response.
  expect(codes.filter((code) => !['SERVICE_BUSY', 'INTERNAL_ERROR', 'done'].includes(code))).toEqual([])
  expect(codes.slice(20).every((code) => code === 'SERVICE_BUSY')).toBe(true)

  link.repair()
  await areServed()
  const outage = logged().filter(({ event }) => /^database_/.test(event))
  expect(outage.slice(0, 2)).toMatchObject([
    { event: 'database_connection_lost', msg: expect.not.stringContaining('\n') },
    { event: 'database_back', failures: expect.any(Number) },
  ])
})
