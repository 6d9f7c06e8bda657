import { contract, type Route } from '@msgctl/contract'
import { kindOfExample } from '@msgctl/contract/examples'
import type { Random } from './random.ts'

/** Things that exist and can be named in requests, by their kind; grows while requests succeed. */
export interface KnownIds {
  add(kind: string, value: string): void
  kinds(): readonly string[]
  /** What does not exist any more. */
  remove(kind: string, value: string): void
  /** One of a kind, most often the latest; undefined when there is none. */
  pick(kind: string, random: Random): string | undefined
}

const kept = 20

/** Pools that begin with `known`. */
export function createKnownIds(known: Readonly<Record<string, readonly string[]>>): KnownIds {
  const pools = new Map(Object.entries(known).map(([kind, values]) => [kind, [...values]]))
  return {
    add(kind, value) {
      const pool = pools.get(kind) ?? []
      if (pool.includes(value)) return
      pools.set(kind, [...pool, value].slice(-kept))
    },
    kinds: () => [...pools.keys()],
    remove(kind, value) {
      pools.set(kind, pools.get(kind)?.filter((other) => other !== value) ?? [])
    },
    pick(kind, random) {
      const pool = pools.get(kind) ?? []
      if (pool.length === 0) return undefined
      // What was made by one request is what the next ones can do most with; people are all the same.
      return kind !== 'phone' && random.chance(0.6) ? pool.at(-1) : random.pick(pool)
    },
  }
}

/** The fields that name something which no id of an example stands for, and those that only some of a kind suit. */
const kinds: Readonly<Record<string, string>> = {
  recoveryCode: 'recovery code',
  // What only some messages and campaigns allow is asked of those.
  'numbers.pair.containerId': 'unlinked number',
  'alert.cancel.messageId': 'queued message',
  'alert.edit.messageId': 'captioned message',
  'campaigns.send.id': 'new campaign',
  'campaigns.pause.id': 'sending campaign',
  'campaigns.resume.id': 'paused campaign',
  // Links of several kinds have one example.
  'auth.welcome.code': 'console code',
  'auth.invitation.token': 'invitation link',
  'auth.join.token': 'invitation link',
  'auth.resetPassword.token': 'reset link',
  'auth.verifyEmail.token': 'verify link',
  'team.acceptInvitation.token': 'own invitation',
  'organization.delete.name': 'organization name',
  'auth.signIn.email': 'email',
  'bots.removeOrderPhone.phone': 'order phone',
  'chats.ack.ids': 'unread',
  'chats.thread.phone': 'chat',
  'chats.read.phone': 'chat',
  'messages.list.cursor': 'message cursor',
  'events.list.after': 'event cursor',
  'events.stream.after': 'event cursor',
}

const routes: Readonly<Record<string, Readonly<Record<string, Route>>>> = contract

function exampleOf(operationId: string): Route['example'] | undefined {
  const [resource = '', name = ''] = operationId.split('.')
  return routes[resource]?.[name]?.example
}

/** The kind of thing that a field of an operation names; undefined when it names nothing that exists. */
export function kindOf(operationId: string, field: string): string | undefined {
  const special = kinds[`${operationId}.${field}`] ?? kinds[field]
  if (special !== undefined) return special
  if (field === 'containerId' || field === 'containerIds') return 'number'
  const [value] = [exampleOf(operationId)?.input?.[field]].flat()
  return kindOfExample(value)
}

/** Operations that move what their path names from one kind to another. */
const moves: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'campaigns.send': ['new campaign', 'sending campaign'],
  'campaigns.pause': ['sending campaign', 'paused campaign'],
  'campaigns.resume': ['paused campaign', 'sending campaign'],
}

/** Follows a change of the thing with that id; what was deleted is of no kind any more. */
export function follow(pools: KnownIds, operationId: string, id: string): void {
  const [from, to] = moves[operationId] ?? []
  if (from !== undefined) pools.remove(from, id)
  if (to !== undefined) pools.add(to, id)
  if (!/\.(?:delete|remove\w*)$/.test(operationId)) return
  for (const kind of pools.kinds()) pools.remove(kind, id)
}

type Harvest = readonly [operations: RegExp, path: readonly string[], kind: string]

/** The fields of responses that name new things, besides ids of examples; `*` stands for every entry of a list. */
const harvests: readonly Harvest[] = [
  [/^alert\.send$/, ['messageId'], 'queued message'],
  [/^alert\.send(?:Image|Video|File)$/, ['messageId'], 'captioned message'],
  [/^messages\.list$/, ['nextCursor'], 'message cursor'],
  [/^campaigns\.create$/, ['campaign', 'id'], 'new campaign'],
  [/^campaigns\.send$/, ['campaignId'], 'sending campaign'],
  [/^events\.list$/, ['nextCursor'], 'event cursor'],
  [/^numbers\.create$/, ['session', 'id'], 'number'],
  [/^chats\.unread$/, ['messages', '*', 'id'], 'unread'],
  [/^chats\.list$/, ['chats', '*', 'phone'], 'chat'],
  [/^auth\.consoleCode$/, ['code'], 'console code'],
  [/^bots\.addOrderPhone$/, ['orderPhone', 'phone'], 'order phone'],
]

/** What responses name and other requests cannot use, such as numbers that are not linked, and owners. */
const unfit = new Set(['number', 'person', 'bot', 'connection', 'action', 'order number', 'organization', 'challenge'])

/** The paths of the ids in an example, with their kinds. */
function namedIn(value: unknown, path: readonly string[] = []): (readonly [path: readonly string[], kind: string])[] {
  if (typeof value !== 'object' || value === null) {
    const kind = kindOfExample(value)
    return kind === undefined || unfit.has(kind) ? [] : [[path, kind]]
  }
  return Object.entries(value).flatMap(([key, inner]) => namedIn(inner, [...path, Array.isArray(value) ? '*' : key]))
}

function valuesAt(value: unknown, [step, ...rest]: readonly string[]): unknown[] {
  if (step === undefined) return [value]
  if (typeof value !== 'object' || value === null) return []
  const next = step === '*' ? Object.values(value) : [Reflect.get(value, step)]
  return next.flatMap((one) => valuesAt(one, rest))
}

/** Remembers what an answer says that exists. */
export function harvest(pools: KnownIds, operationId: string, answer: unknown): void {
  const special = harvests.flatMap(([operations, path, kind]) =>
    operations.test(operationId) ? [[path, kind] as const] : [],
  )
  for (const [path, kind] of [...namedIn(exampleOf(operationId)?.output), ...special]) {
    for (const value of valuesAt(answer, path).slice(0, 5)) if (typeof value === 'string') pools.add(kind, value)
  }
}
