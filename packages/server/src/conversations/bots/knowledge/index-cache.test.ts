import { setImmediate } from 'node:timers/promises'
import { limits } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { type MadeOrganization, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { type IndexCacheOptions, openIndexCache } from './index-cache.ts'
import { findVersion } from './index-store.ts'
import { buildIndex, type IndexedQuestion, type QuestionIndex } from './question-index.ts'

const server = await startTestServer({ worker: false })
const { db, services } = server

/** An assistant with some answers. */
async function makeBot(organization: MadeOrganization, answers = 3) {
  const client = server.client(organization)
  const { bot } = await client.bots.create({ name: 'Desk' })
  const rows = Array.from({ length: answers }, (_, n) => ({ questions: [`Question number ${n}?`], answer: `${n}` }))
  await client.bots.importAnswers({ botId: bot.id, rows })
  const of = { organizationId: organization.organizationId, botId: bot.id }
  return {
    ...{ client, botId: bot.id },
    known: async () => ({ ...of, version: await findVersion(db, of) }),
  }
}

/** Builds that end when the test lets them, and are counted. */
function countedBuilds() {
  const started: (readonly IndexedQuestion[])[] = []
  const waiting: (() => void)[] = []
  let running = 0
  let mostRunning = 0
  async function build(questions: readonly IndexedQuestion[]): Promise<QuestionIndex> {
    started.push(questions)
    running += 1
    mostRunning = Math.max(mostRunning, running)
    await new Promise<void>((resolve) => waiting.push(resolve))
    running -= 1
    return buildIndex(questions)
  }
  /** Ends each build that begins, until `found` has what it waits for. */
  async function endUntil<T>(found: Promise<T>): Promise<T> {
    let isFound = false
    const result = found.finally(() => {
      isFound = true
    })
    while (!isFound) {
      for (const end of waiting.splice(0)) end()
      await setImmediate()
    }
    return result
  }
  return { build, started, endUntil, mostRunning: () => mostRunning }
}

const open = (options: Omit<IndexCacheOptions, 'log'>) => openIndexCache({ log: services.log, ...options })
const textsOf = (questions: readonly IndexedQuestion[] | undefined) => questions?.map(({ text }) => text)

describe('the indexes of a process', () => {
  it('are built once for all who ask at the same time, and again when the answers have changed', async () => {
    const bot = await makeBot(await makeOrganization(server))
    const { build, started, endUntil } = countedBuilds()
    const cache = open({ build })
    const before = await bot.known()
    const first = Promise.all(Array.from({ length: 20 }, () => cache.find(db, before)))
    await expect.poll(() => started.length).toBe(1)
    await bot.client.bots.addAnswer({ botId: bot.botId, questions: ['Another one?'], answer: 'Yes.' })
    const after = await bot.known()
    const second = Promise.all(Array.from({ length: 20 }, () => cache.find(db, after)))
    const [[index], [later]] = await endUntil(Promise.all([first, second]))
    expect(new Set(await first)).toEqual(new Set([index]))
    expect(new Set(await second)).toEqual(new Set([later]))
    expect(started).toHaveLength(2)
    expect(textsOf(started[1])).toEqual([...(textsOf(started[0]) ?? []), 'Another one?'])
    // A question that was read before the change gets the later index.
    expect(await cache.find(db, before)).toBe(later)
    expect(started).toHaveLength(2)
  })

  it('are built for two organizations at a time, and for each one after the other', async () => {
    const organizations = await Promise.all([1, 2, 3].map(() => makeOrganization(server)))
    const bots = await Promise.all(organizations.flatMap((one) => [makeBot(one), makeBot(one), makeBot(one)]))
    const versions = await Promise.all(bots.map(({ known }) => known()))
    const ofOne = versions.slice(0, 3)
    for (const [asked, concurrent] of [[versions, 2] as const, [ofOne, 1] as const]) {
      const { build, started, endUntil, mostRunning } = countedBuilds()
      const cache = open({ build })
      const found = Promise.all(asked.map((version) => cache.find(db, version)))
      await expect.poll(() => started.length).toBe(concurrent)
      // Those that could begin have begun by now.
      await Promise.all(bots.map(({ known }) => known()))
      expect(started).toHaveLength(concurrent)
      await endUntil(found)
      expect(started).toHaveLength(asked.length)
      expect(mostRunning()).toBe(concurrent)
    }
  })

  it('are dropped by what they take in memory, the one that was not used for longest first', async () => {
    const organization = await makeOrganization(server)
    const bots = [await makeBot(organization), await makeBot(organization), await makeBot(organization)]
    let builds = 0
    let bytes = 0
    const build = async (questions: readonly IndexedQuestion[]) => {
      const index = await buildIndex(questions)
      builds += 1
      bytes = index.bytes
      return index
    }
    await open({ build }).find(db, (await bots[0]?.known()) ?? expect.fail())
    const cache = open({ build, limit: 2 * bytes })
    const use = async (...places: number[]) => {
      const before = builds
      for (const place of places) await cache.find(db, (await bots[place]?.known()) ?? expect.fail())
      return builds - before
    }
    expect(await use(0, 1, 0, 1)).toBe(2)
    expect(await use(0, 2)).toBe(1)
    expect(await use(0, 2)).toBe(0)
    expect(await use(1)).toBe(1)
    expect(await use(2)).toBe(0)
    expect(await use(0)).toBe(1)
  })

  it('have no more than the limit of characters, however many are stored', async () => {
    const bot = await makeBot(await makeOrganization(server), 50)
    const long = `update bot_questions set text = text || repeat('ü', 9000), asked = asked || repeat('u', 9000)
      where bot_id = :botId`
    await rows(db, long, { botId: bot.botId })
    const built: IndexedQuestion[] = []
    const build = async (questions: readonly IndexedQuestion[]) => {
      built.push(...questions)
      return buildIndex(questions)
    }
    await open({ build }).find(db, await bot.known())
    const characters = built.reduce((sum, { text }) => sum + text.length, 0)
    expect(characters).toBeLessThanOrEqual(limits.bots.questionCharacters)
    expect(characters).toBeGreaterThan(limits.bots.questionCharacters - 9100)
    expect(built[0]?.text).toMatch(/^Question number 0\?/)
  })

  it('are built again after a build that failed', async () => {
    const bot = await makeBot(await makeOrganization(server))
    let builds = 0
    const build = async (questions: readonly IndexedQuestion[]) => {
      builds += 1
      if (builds === 1) throw new Error('broken')
      return buildIndex(questions)
    }
    const cache = open({ build })
    await expect(cache.find(db, await bot.known())).rejects.toThrow('broken')
    expect((await cache.find(db, await bot.known())).get('en')).toBeDefined()
  })
})

describe('the largest index', () => {
  it('is built in short steps, and takes a few megabytes', async () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz'
    let seed = 1
    const letter = () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
      return letters[(seed >> 8) % letters.length] ?? ''
    }
    const questions = Array.from({ length: 5000 }, (_, n) => ({
      answerId: `${Math.floor(n / 10)}`,
      text: Array.from({ length: 40 }, letter).join(''),
      stems: [],
    }))
    let pauses = 0
    const index = await buildIndex(questions, async () => {
      pauses += 1
    })
    // One after each question, whose pieces are few, one after each bucket, and one after each 4,096 entries of two
    // passes.
    const entries = 5000 * (39 + 40)
    expect(pauses).toBeGreaterThanOrEqual(5000 + 256 + 2 * Math.floor(entries / 4200))
    expect(index.bytes).toBeGreaterThan(8 * entries * 0.99)
    expect(index.bytes).toBeLessThan(6_000_000)
    expect(index.rank(questions[4321]?.text ?? '', [], 1)).toMatchObject([{ answerId: '432' }])
  })

  it('does not grow with pieces that a question repeats', async () => {
    const text = 'na '.repeat(100)
    const index = await buildIndex([{ answerId: 'a', text, stems: ['na'] }])
    const shorter = await buildIndex([{ answerId: 'a', text: 'na na na', stems: ['na'] }])
    expect(index.bytes - shorter.bytes).toBe(2 * (text.length - 'na na na'.length))
  })
})
