import { describe, expect, it } from 'vitest'
import {
  type Feature,
  features,
  listFeatures,
  missingProducts,
  type Product,
  products,
  type Unlock,
  unlockedBy,
} from './access.ts'
import { contract } from './contract.ts'
import { readFixture, tableRows } from './fixtures/tables.ts'
import { type Route, splitEndpoint } from './route.ts'

const text = readFixture('access.txt')
const rows = tableRows(text)
const routes = Object.values<Record<string, Route>>({ ...contract }).flatMap((some) => Object.values(some))
const paths = routes.map((route) => ({ route, path: splitEndpoint(route.endpoint).path }))

/** The products that `words` names: `any product` and `every product` name all of them. */
function named(words: string): Product[] {
  return /(any|every) product/.test(words)
    ? [...products]
    : products.filter((name) => new RegExp(`\\b${name}\\b`, 'i').test(words))
}

const gates = [...text.matchAll(/\((.*), feature (\w+)(?:, plus (.*) for an API key)?; (.*)\)/g)].map(
  ([, anyOf = '', feature = '', apiKeyAlsoRequires = '', keys = '']) => ({ anyOf, feature, apiKeyAlsoRequires, keys }),
)

describe('features and products', () => {
  it('are named as in the account record of the specification', () => {
    const row = rows.find(([field]) => field === 'features')
    expect(row?.[2]).toBe(`values among ${features.join(', ')}`)
    expect(rows.slice(-4).flatMap(([names = '']) => named(names))).toEqual([...products])
  })

  it.each(gates)('gates $feature as the specification does', ({ anyOf, feature, apiKeyAlsoRequires }) => {
    const unlock: Unlock = unlockedBy[feature as Feature]
    expect([...unlock.anyOf].sort()).toEqual(named(anyOf).sort())
    expect([...(unlock.apiKeyAlsoRequires ?? [])].sort()).toEqual(named(apiKeyAlsoRequires).sort())
  })

  it('finds a gate in the specification for every feature with routes of its own heading', () => {
    expect(gates.map((gate) => gate.feature).sort()).toEqual([
      'batch',
      'campaigns',
      'inbox',
      'media',
      'otp',
      'reminders',
      'send',
    ])
  })

  it.each([
    ['Notify', 'notify', false],
    ['Developer', 'developer', true],
    ['Assistant and Shop', 'shop', true],
  ] as const)('lets %s reach every path its row names', (row, product, byKey) => {
    const cell = rows.find(([name]) => name === row)?.[1] ?? ''
    const patterns = cell.match(/\/[a-z]+(?:\/[a-z]+|\/\*)/g)?.filter((path) => path !== '/bots/*') ?? []
    expect(patterns.length).toBeGreaterThan(0)
    for (const pattern of patterns) {
      const reached = paths.filter(({ path }) => matches(path, pattern))
      expect(reached.length, pattern).toBeGreaterThan(0)
      for (const { route } of reached) {
        const { feature } = route.access
        expect(feature && missingProducts(feature, new Set([product]), byKey), route.endpoint).toEqual([])
      }
    }
  })

  it.each<[Product[], boolean, Feature[]]>([
    [[], false, []],
    [['notify'], false, ['send', 'batch', 'api', 'campaigns', 'reminders']],
    [['notify'], true, ['send', 'batch', 'api']],
    [['notify', 'connect'], true, ['send', 'batch', 'api', 'campaigns', 'reminders', 'inbox']],
    [['shop'], true, ['send', 'api', 'webhooks', 'bots']],
    [['developer'], true, ['send', 'batch', 'api', 'otp', 'media', 'webhooks']],
    [[...products], true, [...features]],
  ])('with %j (by key: %s) unlocks %j', (active, byKey, unlocked) => {
    expect(listFeatures(new Set(active), byKey)).toEqual(unlocked)
  })

  it('names first the product itself, then what an API key needs beside it', () => {
    expect(missingProducts('campaigns', new Set(['developer']), true)).toEqual(['notify'])
    expect(missingProducts('campaigns', new Set(['notify']), true)).toEqual(['developer', 'connect'])
    expect(missingProducts('campaigns', new Set(['notify']), false)).toEqual([])
  })
})

/** Whether `path` falls under a pattern of the specification like `/alert/*`, `/chats*` or `/session/qr`. */
function matches(path: string, pattern: string): boolean {
  if (!pattern.endsWith('*')) return path === pattern
  return path.startsWith(pattern.slice(0, -1))
}

describe('per-number keys', () => {
  const reach = rows.find(([kind]) => kind === 'Per-number key')?.[2] ?? ''
  const [wide = '', own = ''] = reach.split(', and its own ')
  const patterns = [
    ...(wide.match(/\/[a-z]+(?:\/\*|\*)/g) ?? []),
    ...(own.split('.')[0] ?? '').split(', ').map((name) => `/session/${name.replace('/session/', '')}`),
    // Ours: a number's key releases the held queue of its own number.
    '/session/:containerId/release',
  ]

  /**
   * What holds for the whole organization, which the specification does not show: no number may change it for others,
   * or count them.
   */
  const organizationWide: readonly string[] = [
    'GET /otp/stats',
    'POST /contacts/opt-outs',
    'PUT /contacts/opt-out-words',
  ]

  it('reach exactly the paths that the specification lists, less what belongs to every number', () => {
    expect(patterns).toHaveLength(15)
    const allowed = paths.filter(({ path }) => patterns.some((pattern) => matches(path, pattern)))
    const taking = paths.filter(({ route }) => route.access.keys === 'any')
    expect(taking.map(({ route }) => route.endpoint)).toEqual(
      allowed.map(({ route }) => route.endpoint).filter((endpoint) => !organizationWide.includes(endpoint)),
    )
  })
})
