import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import {
  adminEndpoints,
  contract,
  endpoints,
  errors,
  eventKinds,
  limits,
  messageErrorCodes,
  type Route,
} from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { environment } from '../../packages/server/src/process/settings/environment.ts'
import { typeErrors } from './compile.ts'

const folder = path.join(import.meta.dirname, '../../docs/use/guides')
const texts = readdirSync(folder)
  .filter((file) => file !== 'README.md')
  .map((file) => [path.basename(file, '.md'), readFileSync(path.join(folder, file), 'utf8')] as const)

/** Returns the code blocks of a text in one language. */
function blocksOf(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code = '']) => code)
}

const routes = new Set(
  Object.values({ ...endpoints, ...adminEndpoints })
    .flatMap((names) => Object.values<string>(names))
    .map((endpoint) => endpoint.replace(/:\w+/g, ':')),
)
const codes = new Set([...Object.keys(errors), ...Object.keys(messageErrorCodes), 'MSG_API_KEY', 'MSG_BASE_URL'])
const kinds = new Set<string>(eventKinds)
/** Words in code that look like a kind of event. */
const groups = new Set(eventKinds.map((kind) => kind.split('.')[0]))

describe('the guides', () => {
  it('have programs that compile strictly', async () => {
    const programs = texts.flatMap(([slug, text]) =>
      blocksOf(text, 'ts').map((code, index) => [`${slug}-${index}`, code] as const),
    )
    expect(programs.length).toBeGreaterThan(7)
    expect(await typeErrors('guides', Object.fromEntries(programs))).toBe('')
  }, 120_000)

  it.each(texts)('have valid shell lines and JSON: %s', async (_slug, text) => {
    for (const code of blocksOf(text, 'sh')) await promisify(execFile)('sh', ['-n', '-c', code])
    for (const code of blocksOf(text, 'json')) expect(() => JSON.parse(code)).not.toThrow()
  })

  it.each(texts)('name only routes, codes and events that exist: %s', (_slug, text) => {
    const words = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word)
    const missing = words.filter((word) => {
      if (/^(?:GET|POST|PUT|DELETE) \//.test(word)) return !routes.has(word.replace(/:\w+/g, ':'))
      if (/^[A-Z]+(?:_[A-Z]+)+$/.test(word)) return !codes.has(word) && !(word in environment.shape)
      if (/^[a-z]+\.[a-z_]+$/.test(word) && groups.has(word.split('.')[0])) return !kinds.has(word)
      return false
    })
    expect(missing).toEqual([])
  })
})

describe('the guide about limits', () => {
  const [, text = ''] = texts.find(([slug]) => slug === 'limits') ?? []
  const { campaign, otp } = limits

  it.each([
    ['changes of an organization', limits.changesPerMinute],
    ['texts through one number', limits.textsPerNumberPerMinute],
    ['campaign messages through one number', campaign.perNumberPerMinute],
    ['campaign messages of an organization', campaign.perOrganizationPerMinute],
    ['one-time codes of an organization', otp.perOrganizationPerMinute],
    ['messages on a trial', limits.trial.messagesPerDay],
    ['open event streams', limits.events.streams],
    ['sign-in attempts', limits.signIn.attemptsPerIp],
    ['text of a message', limits.message],
    ['caption', limits.caption],
    ['recipients of a batch', limits.batchRecipients],
    ['recipients of a campaign', limits.campaignRecipients],
    ['rows of an import', limits.reminderRows],
    ['phones of one check', limits.validatePhones],
    ['variables of one recipient', limits.variables.entries],
    ['`clientReference`', limits.clientReference],
    ['events and deliveries', limits.events.keptDays],
  ])('has the figure of the contract: %s', (what, limit) => {
    const row = text.split('\n').find((line) => line.startsWith(`| ${what}`))
    expect(row).toMatch(new RegExp(`\\| ${limit.toLocaleString('en')}\\b`))
  })
})

/** Returns the text of a guide. */
const guide = (name: string) => texts.find(([slug]) => slug === name)?.[1] ?? ''

it('the guide about events has every kind', () => {
  expect(
    eventKinds.filter(
      (kind) => !guide('events').includes(`| \`${kind}\``) && !guide('events').includes(`, \`${kind}\``),
    ),
  ).toEqual([])
})

describe('the guide about paging', () => {
  const [pages = '', cursors = '', atOnce = ''] = ['Page numbers', 'Cursors', 'Lists without pages'].map((title) =>
    guide('paging')
      .split(/^## /m)
      .find((part) => part.startsWith(title)),
  )
  const lists = Object.values(contract).flatMap((resource) => Object.values<Route>({ ...resource }))

  it('names every list with a cursor', () => {
    const withCursor = lists.filter(({ query }) => query !== undefined && 'cursor' in query.shape)
    expect(withCursor.map(({ endpoint }) => endpoint).filter((endpoint) => !cursors.includes(endpoint))).toEqual([])
  })

  it('has the bounds of a page', () => {
    expect(pages).toContain(`${limits.page.default} by default and at most ${limits.page.max}`)
    expect(pages).toContain(`${limits.contactSearch.default} and ${limits.contactSearch.max}`)
  })

  it('names only lists without pages as returned at once', () => {
    const named = [...atOnce.matchAll(/`(GET [^`]+)`/g)].map(([, endpoint = '']) => endpoint)
    expect(named.length).toBeGreaterThan(2)
    for (const endpoint of named) {
      const shape = lists.find((route) => route.endpoint === endpoint)?.query?.shape ?? {}
      expect(
        ['page', 'cursor', 'after'].filter((name) => name in shape),
        endpoint,
      ).toEqual([])
    }
  })
})
