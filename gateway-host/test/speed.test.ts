import { loadavg } from 'node:os'
import { describe, expect, it } from 'vitest'
import { newId } from './crash-lab.ts'
import { openSpeedLab, type Sender } from './speed-lab.ts'

/** `npm run gateway -- speed` sets how many messages a round has. */
const perRound = Number(process.env.GATEWAY_SENDS ?? 30)
const isFull = perRound >= 300
const [numberCount, outstanding, pairs] = isFull ? [10, 3, 7] : [2, 3, 2]
/** Of one number that sends one message after the other, over a network that takes 50 ms. */
const [farMs, farMessages, leastRatioFar] = [50, isFull ? 60 : 3, 0.95]
const leastRatio = 0.8
const mostCpuRatio = 1.2
const lab = await openSpeedLab()
const people = Array.from({ length: 10 }, (_, n) => `1202555${7000 + n}`)
const phoneOf = (kind: number, n: number) => `155544${kind}${String(n).padStart(4, '0')}`

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
const round = (value: number) => Number(value.toFixed(2))

interface Round {
  readonly perSecond: number
  readonly cpuMs: number
}

/** How many messages a round has, and how many of them a sender may wait for. */
interface Load {
  readonly messages: number
  readonly outstanding: number
}

/** Sends a round of messages from all senders at the same time. */
async function sendRound(senders: readonly Sender[], { messages, outstanding: perSender }: Load): Promise<Round> {
  let left = messages
  const [cpu, startedMs] = [process.cpuUsage(), performance.now()]
  async function sendSome(sender: Sender): Promise<void> {
    while (left > 0) await sender.send(people[left-- % people.length] ?? '', newId())
  }
  await Promise.all(senders.flatMap((sender) => Array.from({ length: perSender }, () => sendSome(sender))))
  const used = process.cpuUsage(cpu)
  return {
    perSecond: messages / ((performance.now() - startedMs) / 1000),
    cpuMs: (used.user + used.system) / 1000 / messages,
  }
}

/** Measures pairs of rounds in changing order, because the second one finds what the first one has left to do. */
async function comparePairs(ours: readonly Sender[], bare: readonly Sender[], load: Load) {
  const rounds: { ours: Round; bare: Round }[] = []
  for (let pair = 0; pair < pairs; pair++) {
    const first = await sendRound(pair % 2 === 0 ? ours : bare, load)
    const second = await sendRound(pair % 2 === 0 ? bare : ours, load)
    rounds.push(pair % 2 === 0 ? { ours: first, bare: second } : { ours: second, bare: first })
  }
  const ratios = rounds.map((one) => one.ours.perSecond / one.bare.perSecond)
  return {
    ratio: round(median(ratios)),
    ratios: ratios.map(round),
    cpuRatio: round(median(rounds.map((one) => one.ours.cpuMs / one.bare.cpuMs))),
    perSecond: Math.round(median(rounds.map((one) => one.ours.perSecond))),
    perSecondBare: Math.round(median(rounds.map((one) => one.bare.perSecond))),
    cpuMs: round(median(rounds.map((one) => one.ours.cpuMs))),
  }
}

describe('sends of a host, against the library without us and with its keys in memory', () => {
  it('are at least 0.8 times as many a second, in pairs of one run', { timeout: 600_000 }, async () => {
    const [ours, bare]: [Sender[], Sender[]] = [[], []]
    const linkMs: number[] = []
    for (let n = 0; n < numberCount; n++) {
      const startedMs = performance.now()
      ours.push(await lab.linkOurs(phoneOf(1, n)))
      linkMs.push(performance.now() - startedMs)
      bare.push(await lab.linkBare(phoneOf(2, n)))
    }
    // Everybody knows everybody's devices, and has sessions with them.
    for (const sender of [...ours, ...bare]) for (const digits of people) await sender.send(digits, newId())
    const together = await comparePairs(ours, bare, { messages: perRound, outstanding })
    await lab.net.setFaults({ latencyMs: farMs })
    const far = await comparePairs(ours.slice(0, 1), bare.slice(0, 1), { messages: farMessages, outstanding: 1 })
    await lab.net.setFaults({})
    const figures = {
      ...together,
      commitMs: round(lab.commitFigures().commitMs),
      linkMs: Math.round(median(linkMs)),
      load: round(loadavg()[0] ?? 0),
      far,
    }
    process.stderr.write(`${JSON.stringify(figures)}\n`)
    const { undecryptable, messages } = await lab.net.counts({})
    expect(undecryptable).toBe(0)
    // The library without us makes its accounts available, and gives a person its token again after each message.
    const { 'silent-presence': _, 'token-once': __, ...broken } = (await lab.net.broken({})).rules
    expect(broken).toEqual({})
    expect(messages).toBe(2 * (numberCount * people.length + pairs * (perRound + farMessages)))
    if (!isFull) return
    expect(figures.ratio).toBeGreaterThanOrEqual(leastRatio)
    expect(figures.far.ratio).toBeGreaterThanOrEqual(leastRatioFar)
    expect(figures.cpuRatio).toBeLessThanOrEqual(mostCpuRatio)
  })
})
