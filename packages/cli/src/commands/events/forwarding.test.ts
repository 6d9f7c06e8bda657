import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verify } from '@msgctl/webhook-verifier'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { startService } from '../../testing/service.ts'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A receiver that responds with these statuses in order, then with 204; 0 disconnects without a response. */
async function receiver(...statuses: readonly number[]) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const status = statuses[received.length] ?? 204
    received.push({ headers: request.headers, body: Buffer.concat(chunks) })
    if (status === 0) request.socket.destroy()
    else response.writeHead(status, { location: '/elsewhere' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, received }
}

/** Returns a machine at a service, with the ids of some events that only it has. */
async function prepareEvents(signed: boolean) {
  const workspace = await makeWorkspace((end) => ends.push(end))
  const plain = async (words: string) => (await workspace.run(`${words} --quiet --output plain`)).stdout.trim()
  if (signed) await plain(`webhook set ${workspace.internet}/hooks`)
  const secret = signed ? await plain('webhook show --show-secret --fields signingSecret') : ''
  // This person gets messages and never reads them: each makes one event.
  for (let n = 0; n <= mostEvents; n += 1) await plain(`send +12025550121 ${n} --wait delivered`)
  const listed = await plain('events list --fields id')
  return { ...workspace, secret, listed: listed.split('\n') }
}

const mostEvents = 3
const ends: (() => void)[] = []
afterAll(() => {
  for (const end of ends) end()
})
/** By whether the service signs. */
const machines = new Map<boolean, ReturnType<typeof prepareEvents>>()

/**
 * Returns a machine at a service that signs, with `count` events behind the one that `after` names. The tests share it,
 * because forwarding events changes nothing there.
 */
async function withEvents(count: number, { signed = true } = {}) {
  const machine = machines.get(signed) ?? prepareEvents(signed)
  machines.set(signed, machine)
  const { listed, ...prepared } = await machine
  const [after = '', ...all] = listed.slice(-count - 1)
  return { ...prepared, after, ids: all }
}

const ids = (received: readonly Received[]) => received.map(({ headers }) => headers['x-service-delivery'])

const makeWorkspace = await startService()

describe('events tail --forward-to', () => {
  it('posts each event as the service would, so that the receiver’s own verifier takes it', async () => {
    const { run, machine, secret, after, ids: all } = await withEvents(3)
    const logged = JSON.parse((await run('events list --json')).stdout).slice(-3)
    const { url, received } = await receiver()
    const { stdout, exitCode } = await run(`events tail --limit 3 --after ${after} --forward-to ${url}`)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^(204 {2} +\d+ ms {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}message\.delivered .*\n){3}$/)
    for (const [n, { headers, body }] of received.entries()) {
      const { event, data, timestamp } = await verify(body, headers, secret, { now: machine.clock.now })
      expect({ id: headers['x-service-delivery'], event, data, timestamp }).toEqual(logged[n])
      expect(headers).toMatchObject({ 'x-service-event': 'message.delivered', 'content-type': 'application/json' })
    }
    expect(ids(received)).toEqual(all)
  })

  it('signs with both secrets while a rotation overlaps, as deliveries do', async () => {
    const { run, machine, internet } = await makeWorkspace((end) => ends.push(end))
    await run(`webhook set ${internet}/hooks`)
    const secretOf = async () =>
      (await run('webhook show --show-secret --fields signingSecret --output plain')).stdout.trim()
    const old = await secretOf()
    for (const text of ['one', 'two']) await run(`send +12025550121 ${text} --wait delivered`)
    const ids = (await run('events list --fields id --output plain')).stdout.trim().split('\n')
    expect((await run('webhook rotate --overlap 1h --yes')).exitCode).toBe(0)
    const { url, received } = await receiver()
    expect((await run(`events tail --limit 1 --after ${ids[0]} --forward-to ${url}`)).exitCode).toBe(0)
    const [delivery] = received
    for (const secret of [old, await secretOf()]) {
      const verified = verify(delivery?.body ?? '', delivery?.headers ?? {}, secret, { now: machine.clock.now })
      await expect(verified).resolves.toMatchObject({ event: expect.any(String) })
    }
  })

  it('continues despite an unknown field, because the receiver has accepted the event', async () => {
    const { run, after, ids: all } = await withEvents(2)
    const { url, received } = await receiver()
    const words = `tail events --limit 2 --after ${after} --output plain --fields id,colour --forward-to ${url}`
    const { stdout, stderr, exitCode } = await run(words)
    expect([stdout, exitCode]).toEqual([all.map((id) => `${id}\t\n`).join(''), 0])
    expect(stderr.match(/Unknown field colour/g)).toHaveLength(1)
    expect(ids(received)).toEqual(all)
  })

  it('carries neither the key nor a token to the receiver', async () => {
    const { run, apiKey, after } = await withEvents(1)
    const { url, received } = await receiver()
    await run(`tail events --limit 1 --after ${after} --forward-to ${url}`)
    expect(JSON.stringify(received[0]?.headers)).not.toContain(apiKey)
    expect(received[0]?.headers).not.toHaveProperty('authorization')
  })

  it('retries a receiver that rejects, redirects or disconnects, and skips nothing', async () => {
    const { run, machine, after, ids: all } = await withEvents(2)
    const { url, received } = await receiver(500, 302, 0)
    const start = machine.clock.now()
    const { stderr, exitCode } = await run(`events tail --limit 2 --after ${after} --forward-to ${url}`)
    expect(exitCode).toBe(0)
    expect(ids(received)).toEqual([all[0], all[0], all[0], all[0], all[1]])
    expect(machine.clock.now() - start).toBe(1000 + 2000 + 4000)
    expect(stderr).toMatch(
      new RegExp(`Failed to forward message.delivered ${all[0]}: status 500.*Retrying in 1 s; --att`),
    )
    expect(stderr).toMatch(/status 302.*Retrying in 2 s/)
    expect(stderr).toMatch(/ECONNRESET.*Retrying in 4 s/)
  })

  it('signs every attempt again, because a receiver rejects an old signature', async () => {
    const { run, machine, secret, after } = await withEvents(1)
    const { url, received } = await receiver(...Array(14).fill(503))
    await run(`events tail --limit 1 --after ${after} --forward-to ${url}`)
    const last = received.at(-1)
    expect(received).toHaveLength(15)
    const { now } = machine.clock
    await expect(verify(last?.body ?? '', last?.headers ?? {}, secret, { now })).resolves.toMatchObject({})
    const first = received[0]
    await expect(verify(first?.body ?? '', first?.headers ?? {}, secret, { now })).rejects.toThrow()
  })

  it('notes on Ctrl-C where to continue: after the last accepted event', async () => {
    const { run, after, ids: all } = await withEvents(3)
    const { url } = await receiver(204, 500)
    const stop = new AbortController()
    const { stderr, exitCode } = await run(`events tail --after ${after} --forward-to ${url}`, {
      signal: stop.signal,
      onWait: () => stop.abort(),
    })
    expect(exitCode).toBe(130)
    expect(stderr).toContain(`Continue from here with --after ${all[0]}\n`)
    // An event that arrives while nothing has been taken yet.
    const [event] = JSON.parse((await run(`events list --after ${after} --json`)).stdout)
    const text = `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`
    const scripted = await makeWorkspace()
    scripted.script({ 'GET /api/v1/events/stream': () => ({ events: [text] }) })
    const first = new AbortController()
    const refusing = await receiver(500)
    const none = await scripted.run(`events tail --forward-to ${refusing.url}`, {
      signal: first.signal,
      onWait: () => first.abort(),
    })
    expect(none.stderr).toContain(`The receiver did not accept ${all[0]}; msgctl events list shows it.`)
    expect(none.stderr).not.toContain('Continue from here')
  })

  it('reports a refused connection, and keeps trying', async () => {
    const { run, after } = await withEvents(1)
    const stop = new AbortController()
    let waits = 0
    const { stderr } = await run(`events tail --after ${after} --forward-to http://127.0.0.1:1/hooks`, {
      signal: stop.signal,
      onWait() {
        waits += 1
        if (waits === 3) stop.abort()
      },
    })
    expect(stderr.match(/Failed to forward .*: connection refused/g)).toHaveLength(3)
  })

  it('signs with a secret of its own where there is none, the same at each start', async () => {
    const { run, machine, after } = await withEvents(1, { signed: false })
    const { url, received } = await receiver()
    const forwarded = () => run(`events tail --limit 1 --after ${after} --forward-to ${url}`)
    const { stderr } = await forwarded()
    const secret = /signed with one of this command: (whsec_[0-9a-f]{64})\n/.exec(stderr)?.[1] ?? ''
    expect((await forwarded()).stderr).toContain(secret)
    expect(received).toHaveLength(2)
    for (const { headers, body } of received) {
      await expect(verify(body, headers, secret, { now: machine.clock.now })).resolves.toMatchObject({})
    }
  })

  it('prints the receiver’s response beside the event as JSON', async () => {
    const { run, after, ids: all } = await withEvents(1)
    const { url } = await receiver(201)
    const { stdout } = await run(`events tail --limit 1 --after ${after} --json --forward-to ${url}`)
    expect(JSON.parse(stdout)).toMatchObject({ status: 201, durationMs: expect.any(Number), id: all[0] })
  })

  it.each(['receiver', 'ftp://127.0.0.1/hooks', 'http://me:pw@127.0.0.1/hooks'])(
    'refuses %s before it calls the service',
    async (address) => {
      const { run } = await makeWorkspace()
      expect(await run(`events tail --forward-to ${address}`)).toMatchObject({ exitCode: 2, stdout: '' })
    },
  )
})

describe('webhook replay --dropped', () => {
  it('plans all dropped deliveries of a period again with one call, after asking', async () => {
    const { run, script, seen, machine } = await makeWorkspace()
    script({ 'POST /api/v1/me/webhook/deliveries/replay': () => ({ status: 202, body: { success: true, count: 2 } }) })
    const declined = await run('webhook replay --dropped')
    expect([declined.exitCode, declined.stderr]).toEqual([2, expect.stringContaining('dropped within the last 24h?')])
    const { stdout, stderr } = await run('events replay --dropped --since 2h --yes --output plain')
    expect([stdout, stderr]).toEqual(['2\n', 'Check the result with: msgctl webhook deliveries\n'])
    const from = new Date(machine.clock.now() - 2 * 3_600_000).toISOString()
    expect(seen.at(-1)?.body).toEqual({ status: 'dropped', from })
    expect((await run('webhook replay')).exitCode).toBe(2)
  })
})
