/** What a number may do in a day and an hour, from a number of days after its phone was linked. Null: no limit. */
export interface AgeLimits {
  readonly fromDay: number
  readonly conversations: number | null
  readonly perHour: number | null
  readonly perDay: number | null
}

/** The limits that an operator set for one number; undefined keeps those of its age. */
export type LimitOverrides = Partial<Pick<AgeLimits, 'conversations' | 'perHour' | 'perDay'>>

/**
 * The rules that keep a number from being restricted. They come from reports of users of unofficial clients, not from
 * measurements. Raise the version with every change.
 */
export interface GuardRules {
  readonly version: number
  /** Ascending by `fromDay`; the first begins at day 0. */
  readonly ages: readonly AgeLimits[]
}

export const standardRules: GuardRules = {
  version: 1,
  ages: [
    { fromDay: 0, conversations: 20, perHour: 20, perDay: 50 },
    { fromDay: 3, conversations: 40, perHour: 40, perDay: 200 },
    { fromDay: 6, conversations: 60, perHour: 80, perDay: 500 },
    { fromDay: 11, conversations: 100, perHour: 150, perDay: 1000 },
    { fromDay: 31, conversations: 200, perHour: null, perDay: 2000 },
  ],
}

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs
/** Campaigns send nothing from this hour on, until the other one, in the country of the recipient. */
export const quietHours = { from: 22, until: 8 }
/** Of so many last recipients, at most this share may be missing on the network. */
export const offNetwork = { recipients: 50, share: 0.3 }
/** Of so many last conversations that the number began, at least one must have been answered. */
export const replies = { conversations: 20 }

/** Returns the whole days from the link of a phone to a time. */
export function daysLinked(linkedAt: Date, at: Date): number {
  return Math.max(0, Math.floor((at.getTime() - linkedAt.getTime()) / dayMs))
}

/** Returns what a number of this age may do. */
export function limitsFor({ ages }: GuardRules, days: number, overrides: LimitOverrides = {}): AgeLimits {
  const age = ages.findLast(({ fromDay }) => fromDay <= days)
  if (!age) throw new Error('the table of the guard rules does not begin at day 0')
  return { ...age, ...overrides }
}

const row = /^(\d{1,4}):(\d{1,6}|-)\/(\d{1,6}|-)\/(\d{1,6}|-)$/

/**
 * Parses a table like `0:20/20/50,3:40/40/200`: days linked, new conversations a day, messages an hour and a day, with
 * a dash for no limit. Returns null for anything else.
 */
export function parseRules(text: string): GuardRules | null {
  const ages: AgeLimits[] = []
  for (const entry of text.split(',')) {
    const [, fromDay, conversations, perHour, perDay] = row.exec(entry.trim()) ?? []
    if (fromDay === undefined) return null
    const limit = (digits: string | undefined) => (digits === '-' ? null : Number(digits))
    ages.push({
      fromDay: Number(fromDay),
      conversations: limit(conversations),
      perHour: limit(perHour),
      perDay: limit(perDay),
    })
  }
  const ascend = ages.every(({ fromDay }, n) => fromDay > (ages[n - 1]?.fromDay ?? -1))
  return ascend && ages[0]?.fromDay === 0 ? { version: standardRules.version, ages } : null
}
