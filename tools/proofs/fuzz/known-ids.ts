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

/** What an id in a path or a body names, by its operation or the resource of it, and the name of the field. */
const kinds: Readonly<Record<string, string>> = {
  // What only some messages and campaigns allow is asked of those.
  'numbers.pair.containerId': 'unlinked number',
  'alert.cancel.messageId': 'queued message',
  'alert.edit.messageId': 'captioned message',
  'campaigns.send.id': 'new campaign',
  'campaigns.pause.id': 'sending campaign',
  'campaigns.resume.id': 'paused campaign',
  'alert.messageId': 'message',
  'messages.id': 'message',
  'events.id': 'event',
  'campaigns.id': 'campaign',
  'reminders.id': 'reminder',
  'contacts.id': 'contact',
  'bots.botId': 'bot',
  'bots.answerId': 'answer',
  'bots.productId': 'product',
  'bots.conversationId': 'conversation',
  'bots.reviewId': 'review',
  'bots.orderNumber': 'order number',
  'bots.removeOrderPhone.phone': 'order phone',
  'webhook.id': 'endpoint',
  'webhook.delivery.id': 'delivery',
  'chats.attachment.id': 'attachment',
  'mcp.connectionId': 'connection',
  'mcp.actionId': 'action',
  'auth.welcome.code': 'console code',
  'auth.secondStep.challenge': 'challenge',
  'auth.secondStep.code': 'authenticator code',
  'auth.enableTwoFactor.code': 'authenticator code',
  'auth.disableTwoFactor.code': 'authenticator code',
  'auth.newRecoveryCodes.code': 'authenticator code',
  'auth.recoveryCode': 'recovery code',
  'oauth.requestId': 'oauth request',
  'auth.sessionId': 'session',
  'auth.organizationId': 'organization',
  'auth.invitation.token': 'invitation link',
  'auth.join.token': 'invitation link',
  'auth.resetPassword.token': 'reset link',
  'auth.verifyEmail.token': 'verify link',
  'team.acceptInvitation.token': 'own invitation',
  'organization.userId': 'person',
  'organization.delete.name': 'organization name',
  'team.invitationId': 'invitation',
  'team.userId': 'person',
  'otp.requestId': 'otp',
  'otp.code': 'code',
  'chats.ids': 'unread',
  'chats.phone': 'chat',
  'messages.cursor': 'message cursor',
  'events.after': 'event cursor',
}

/** The kind of thing that a field of an operation names; undefined when it names nothing that exists. */
export function kindOf(operationId: string, field: string): string | undefined {
  if (operationId === 'auth.signIn' && field === 'email') return 'email'
  const special = kinds[`${operationId}.${field}`]
  if (special !== undefined) return special
  if (field === 'containerId' || field === 'containerIds') return 'number'
  return kinds[`${operationId.split('.')[0]}.${field}`]
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

/** The fields of responses that name new things; `*` stands for every entry of a list. */
const harvests: readonly Harvest[] = [
  [/^alert\.(?:send|forward)/, ['messageId'], 'message'],
  [/^alert\.batch$/, ['messages', '*', 'messageId'], 'message'],
  [/^alert\.send$/, ['messageId'], 'queued message'],
  [/^alert\.send(?:Image|Video|File)$/, ['messageId'], 'captioned message'],
  [/^messages\.list$/, ['nextCursor'], 'message cursor'],
  [/^campaigns\.create$/, ['campaign', 'id'], 'campaign'],
  [/^campaigns\.create$/, ['campaign', 'id'], 'new campaign'],
  [/^campaigns\.send$/, ['campaignId'], 'sending campaign'],
  [/^reminders\.create$/, ['reminder', 'id'], 'reminder'],
  [/^reminders\.list$/, ['reminders', '*', 'id'], 'reminder'],
  [/^events\.list$/, ['events', '*', 'id'], 'event'],
  [/^events\.list$/, ['nextCursor'], 'event cursor'],
  [/^otp\.send$/, ['requestId'], 'otp'],
  [/^numbers\.create$/, ['session', 'id'], 'number'],
  [/^chats\.unread$/, ['messages', '*', 'id'], 'unread'],
  [/^chats\.unread$/, ['messages', '*', 'id'], 'attachment'],
  [/^chats\.list$/, ['chats', '*', 'phone'], 'chat'],
  [/^webhook\.addEndpoint$/, ['endpoint', 'id'], 'endpoint'],
  [/^team\.invite$/, ['invitation', 'id'], 'invitation'],
  [/^auth\.consoleCode$/, ['code'], 'console code'],
  [/^auth\.sessions$/, ['sessions', '*', 'id'], 'session'],
  [/^contacts\.search$/, ['contacts', '*', 'id'], 'contact'],
  [/^bots\.addAnswer$/, ['answer', 'id'], 'answer'],
  [/^bots\.answers$/, ['answers', '*', 'id'], 'answer'],
  [/^bots\.addProduct$/, ['product', 'id'], 'product'],
  [/^bots\.products$/, ['products', '*', 'id'], 'product'],
  [/^bots\.reviews$/, ['reviews', '*', 'id'], 'review'],
  [/^bots\.addOrderPhone$/, ['orderPhone', 'phone'], 'order phone'],
]

function valuesAt(value: unknown, [step, ...rest]: readonly string[]): unknown[] {
  if (step === undefined) return [value]
  if (typeof value !== 'object' || value === null) return []
  const next = step === '*' ? Object.values(value) : [Reflect.get(value, step)]
  return next.flatMap((one) => valuesAt(one, rest))
}

/** Remembers what an answer says that exists. */
export function harvest(pools: KnownIds, operationId: string, answer: unknown): void {
  for (const [operations, path, kind] of harvests) {
    if (!operations.test(operationId)) continue
    for (const value of valuesAt(answer, path).slice(0, 5)) if (typeof value === 'string') pools.add(kind, value)
  }
}
