import { contract, type Product, type Role, type Route, splitEndpoint } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { authorize } from '#api/access/authorize.ts'
import type { Caller } from '#api/http/handler.ts'
import type { ApiError } from '#platform/errors.ts'

const all: readonly Product[] = ['notify', 'assistant', 'shop', 'developer', 'connect']
const subsets = Array.from({ length: 2 ** all.length }, (_, bits) => all.filter((_, n) => bits & (1 << n)))

/**
 * The specification's access notes and its tables of keys and products ("Endpoints", "Authentication"), by path. What
 * the specification does not show stands where the decisions put it. The first row that fits holds.
 */
const access: [path: RegExp, opens: readonly Product[], rule?: 'planned'][] = [
  // Any product, feature send; to take a queued one back belongs to it.
  [/^POST \/alert\/(send|messages\/:messageId\/cancel)$/, all],
  [/^POST \/alert\/(batch|validate)$|^POST \/recipients\/validate$/, ['notify', 'developer', 'connect']],
  [/^(POST|PUT|DELETE) \/alert\//, ['developer']],
  [/^POST \/media$/, ['developer']],
  [/ \/otp\//, ['developer']],
  [/ \/(bulk|reminders)(\/|$)/, ['notify'], 'planned'],
  [/ \/(chats|contacts|oauth)(\/|$)/, ['connect']],
  [/ \/bots\/:botId\/(products|orders|order-phones)(\/|$)/, ['shop']],
  [/ \/bots(\/|$)/, ['assistant', 'shop']],
  [/ \/(me\/webhook|events)(\/|$)/, ['assistant', 'shop', 'developer']],
  [/^POST \/(me|session\/:containerId)\/(re)?generate-key$/, all],
  [/^DELETE \/session\/:containerId\/key$/, all],
]

/**
 * Everything else: account, history (a number's key reads its own there) and number routes, open to every organization.
 */
const open = [
  /^GET \/alert\/messages\/:messageId$/,
  / \/me(\/(limits|usage))?$/,
  / \/messages(\/|$)/,
  / \/stats(\/hours)?$/,
  / \/(queue|overview)(\/|$)/,
  / \/session(\/|$)/,
  / \/auth\//,
  / \/(organizations?|team|activity|mcp|billing)(\/|$)/,
  / \/openapi\.json$/,
]

/** Which routes a number's key may call: its row of the table of keys, but for what the whole organization shares. */
const numberKeys = [
  / \/(alert|otp(?!\/stats)|recipients|chats|bulk)(\/|$)/,
  / \/contacts(?!\/opt-out)|^GET \/contacts\/opt-out(-word)?s$/,
  / \/session\/(status|qr|pair|start|reconnect|logout|history|profile|:containerId\/release)$/,
]

const callers = ['account key', 'number key', 'owner', 'admin', 'member'] as const
type Who = (typeof callers)[number]
const kindOf: Record<Who, Caller['kind']> = {
  'account key': 'account_key',
  'number key': 'number_key',
  owner: 'user',
  admin: 'user',
  member: 'user',
}
type Standing = 'granted' | 'paused' | 'deactivated'

const routes = Object.values(contract)
  .flatMap((named) => Object.values<Route>(named))
  .filter(({ access: { keys } }) => keys !== 'public')
  .map((route) => [route.endpoint, route] as const)

function answerOf({ access: gate }: Route, who: Who, held: readonly Product[], standing: Standing): string {
  const kind = kindOf[who]
  const caller: Caller = {
    kind,
    role: kind === 'user' ? (who as Role) : 'admin',
    products: new Set(standing === 'paused' ? [] : held),
    organizationId: 'o',
    containerId: kind === 'number_key' ? 'n' : null,
    userId: kind === 'user' ? 'u' : null,
    trial: false,
    credential: 'account',
    credentialHash: Buffer.alloc(32),
  }
  try {
    authorize(gate, { caller, deactivated: standing === 'deactivated', trialEnded: false })
    return 'passes'
  } catch (error) {
    return (error as ApiError).code
  }
}

/** What the tables above say; which roles a route takes is the contract's, for the specification names few of them. */
function expectedOf(route: Route, who: Who, held: readonly Product[], standing: Standing): string {
  const { endpoint, access: gate } = route
  if (standing === 'deactivated') return 'ACCOUNT_DEACTIVATED'
  const byKey = who === 'account key' || who === 'number key'
  if (who === 'number key' && !numberKeys.some((path) => path.test(endpoint))) return 'NUMBER_KEY_SCOPE'
  if (byKey && gate.keys === 'none') return 'USER_REQUIRED'
  // None of these callers is of the platform's staff.
  if (/ \/admin(\/|$)/.test(endpoint)) return 'ADMIN_ONLY'
  if (gate.roles && !gate.roles.includes(byKey ? 'admin' : who)) return 'ROLE_FORBIDDEN'
  if (gate.owner && who !== 'owner') return 'NOT_OWNER'
  const row = access.find(([path]) => path.test(endpoint))
  if (!row) return open.some((path) => path.test(endpoint)) ? 'passes' : 'a path that no table names'
  const active = standing === 'paused' ? [] : held
  const [, opens, rule] = row
  const alsoForKeys =
    rule === 'planned' && byKey ? active.some((one) => one === 'developer' || one === 'connect') : true
  if (opens.some((one) => active.includes(one)) && alsoForKeys) return 'passes'
  return active.length === 0 ? 'NO_ACTIVE_PRODUCT' : 'PRODUCT_REQUIRED'
}

describe('every set of products, for every caller and standing', () => {
  it.each(routes)('reaches %s exactly where the specification says so', (_endpoint, route) => {
    const wrong = (['granted', 'paused', 'deactivated'] as const).flatMap((standing) =>
      callers.flatMap((who) =>
        subsets.flatMap((held) => {
          const [got, expected] = [answerOf(route, who, held, standing), expectedOf(route, who, held, standing)]
          return got === expected ? [] : [`${who}, ${standing} [${held}]: ${got} instead of ${expected}`]
        }),
      ),
    )
    expect(wrong).toEqual([])
  })

  it('covers every route behind a gate', () => {
    expect(routes.length).toBeGreaterThan(60)
    for (const [endpoint] of routes) expect(splitEndpoint(endpoint).path).toMatch(/^\//)
  })
})
