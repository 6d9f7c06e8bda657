import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openService } from './kill-lab.ts'
import { write } from './network/people/writing.ts'

/** `npm run gateway -- kills` sets how many there are. */
const kills = Number(process.env.GATEWAY_KILLS ?? 8)
const messagesForEachKill = 25
const people = Array.from({ length: 20 }, (_, n) => `+12025552${String(n).padStart(3, '0')}`)
const batchSize = 5
/** How many messages are requested beyond those that the kills so far account for. */
const messagesAhead = 200
/** The next process dies after this time at the latest, also while nothing passes. */
const longestCalmMs = 10_000

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
    let [isOver, done] = [false, 0]
    const batches = Math.ceil((kills * messagesForEachKill) / batchSize)
    const sending = (async () => {
      for (let n = 0; n < batches; n++) {
        while (sent.length > done * messagesForEachKill + messagesAhead) await wait(50)
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
    /** Waits until some messages have passed since the last kill, and a moment more. */
    async function calm(chance: () => number): Promise<void> {
      const [shownBefore, sinceMs] = [network.transcript.length, performance.now()]
      const hasPassed = () => network.transcript.length - shownBefore >= messagesForEachKill
      while (!hasPassed() && performance.now() - sinceMs < longestCalmMs) await wait(20)
      await wait(chance() * 800)
    }
    const startedMs = performance.now()
    const report = (line: string) =>
      process.stderr.write(`${Math.round((performance.now() - startedMs) / 1000)} s: ${line}\n`)
    while (done < kills) {
      await calm(random)
      const alive = parts.filter(({ isUp }) => isUp)
      const part = alive[Math.floor(random() * alive.length)]
      // Most parts are up at any time; otherwise nothing would pass on a slow machine.
      if (!part || alive.length <= parts.length / 2) continue
      part.kill()
      done++
      if (done % 20 === 0) report(`${done} kills, ${network.transcript.length} of ${sent.length} messages`)
    }
    const killedAfterS = Math.round((performance.now() - startedMs) / 1000)
    await sending
    isOver = true
    await writing
    const shown = () => network.transcript.map(({ to, message }) => `${to} ${message.extendedTextMessage?.text ?? ''}`)
    const settled = { timeout: 300_000, interval: 1000 }
    await expect.poll(() => missingIn(shown(), sent), settled).toEqual([])
    await expect.poll(async () => missingIn(await service.readInbound(), written), settled).toEqual([])
    // No receipt is lost either: people read everything.
    await expect.poll(() => service.countStatuses(), settled).toEqual({ read: sent.length })
    const figures = {
      twice: doublesIn(shown()).length + doublesIn(await service.readInbound()).length,
      undecryptable: network.counts.undecryptable,
      requestedAgain: network.counts.retriesOfDevices,
      twoConnections: network.counts.replaced,
    }
    const starts = parts.map(({ kind, starts }) => `${kind} ${starts - 1}`).join(', ')
    report(`killed in ${killedAfterS} s: ${starts}; all of ${sent.length} read and of ${written.length} received`)
    expect(figures).toEqual({ twice: 0, undecryptable: 0, requestedAgain: 0, twoConnections: 0 })
  })
})

function missingIn(found: readonly string[], wanted: readonly string[]): string[] {
  const there = new Set(found)
  return wanted.filter((one) => !there.has(one))
}

function doublesIn(found: readonly string[]): string[] {
  return found.filter((one, n) => found.indexOf(one) !== n)
}
