import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openService } from './kill-lab.ts'
import { write } from './network/writing.ts'

/** `npm run gateway -- kills` sets how many there are. */
const kills = Number(process.env.GATEWAY_KILLS ?? 8)
const messagesForEachKill = 25
const people = Array.from({ length: 20 }, (_, n) => `+12025552${String(n).padStart(3, '0')}`)
const batchSize = 5

/** The same parts die in every run. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

describe(`a service whose processes are killed ${kills} times`, () => {
  it('loses nothing, sends nothing twice, and breaks no ratchet', { timeout: 3_600_000 }, async () => {
    const service = await openService(5)
    const { network, parts, numbers } = service
    const random = randomOf(Number(process.env.GATEWAY_SEED ?? 1))
    const sent: string[] = []
    const written: string[] = []
    let isOver = false
    const batches = Math.ceil((kills * messagesForEachKill) / batchSize)
    const sending = (async () => {
      for (let n = 0; n < batches; n++) {
        const recipients = Array.from(
          { length: batchSize },
          (_, m) => people[(n * batchSize + m) % people.length] ?? '',
        )
        for (const recipient of recipients) sent.push(`${recipient.slice(1)} text ${n}`)
        await service.sendBatch(`batch-${n}`, `text ${n}`, recipients)
      }
    })()
    const writing = (async () => {
      for (let n = 0; !isOver; n++) {
        const { phone } = numbers[n % numbers.length] ?? expect.fail('there is no number')
        written.push(
          await write(network, (people[n % people.length] ?? '').slice(1), phone, { conversation: `w ${n}` }),
        )
        await wait(300)
      }
    })()
    const startedMs = performance.now()
    for (let kill = 0; kill < kills; ) {
      const alive = parts.filter(({ isUp }) => isUp)
      const part = alive[Math.floor(random() * alive.length)]
      // Most parts are up at any time; otherwise nothing would pass on a slow machine.
      if (part && alive.length > parts.length / 2) {
        part.kill()
        kill++
        if (kill % 20 === 0)
          process.stderr.write(`${kill} kills, ${network.transcript.length} of ${sent.length} messages\n`)
      }
      await wait(400 + random() * 1200)
    }
    const killedAfterS = Math.round((performance.now() - startedMs) / 1000)
    await sending
    isOver = true
    await writing
    const shown = () => network.transcript.map(({ to, message }) => `${to} ${message.extendedTextMessage?.text ?? ''}`)
    const settled = { timeout: 300_000, interval: 1000 }
    await expect.poll(() => missingIn(shown(), sent), settled).toEqual([])
    await expect.poll(async () => missingIn(await service.readInbound(), written), settled).toEqual([])
    const statuses = await service.countStatuses()
    const figures = {
      sent: sent.length,
      written: written.length,
      twice: doublesIn(shown()).length + doublesIn(await service.readInbound()).length,
      undecryptable: network.counts.undecryptable,
      requestedAgain: network.counts.retriesOfDevices,
      twoConnections: network.counts.replaced,
      failed: statuses.failed ?? 0,
    }
    const starts = parts.map(({ kind, starts }) => `${kind} ${starts - 1}`).join(', ')
    process.stderr.write(`killed in ${killedAfterS} s: ${starts}; ${JSON.stringify({ ...figures, statuses })}\n`)
    expect(figures).toMatchObject({ twice: 0, undecryptable: 0, requestedAgain: 0, twoConnections: 0, failed: 0 })
  })
})

function missingIn(found: readonly string[], wanted: readonly string[]): string[] {
  const there = new Set(found)
  return wanted.filter((one) => !there.has(one))
}

function doublesIn(found: readonly string[]): string[] {
  return found.filter((one, n) => found.indexOf(one) !== n)
}
