import { describe, expect, it } from 'vitest'
import { type ErrorCode, errors } from '../errors/errors.ts'
import { events } from '../events/events.ts'
import { readFixture, section, tableRows } from '../fixtures/tables.ts'
import {
  campaignAllows,
  campaignMoves,
  type Move,
  mayMove,
  messageMoves,
  numberMoves,
  reminderAllows,
  reminderMoves,
} from './moves.ts'
import {
  campaignStatuses,
  hasReached,
  type MessageStatus,
  messageErrorCodes,
  messageRank,
  messageStatuses,
  numberStatuses,
  otpSituations,
  reminderStatuses,
} from './states.ts'

const text = readFixture('states.txt')
const machines = [
  ['Message statuses', messageStatuses, messageMoves],
  ['Campaign statuses', campaignStatuses, campaignMoves],
  ['Reminder statuses', reminderStatuses, reminderMoves],
  ['Number connection statuses', numberStatuses, numberMoves],
] as const

describe.each(machines)('%s', (title, statuses, allMoves) => {
  const moves = allMoves as readonly Move<string>[]
  const words = section(text, title)

  it("are the specification's, in its order", () => {
    const values = /^Values: (.*?)\.(?: The .*| Transitions.*)?$/m.exec(words)?.[1]
    expect(values?.replace(/ \([^)]*\)/g, '').split(', ')).toEqual([...statuses])
  })

  it('can all be reached from the start, by moves between known statuses', () => {
    const reached = new Set<string | null>([null])
    for (const _ of statuses) {
      for (const move of moves) if (move.from.some((from) => reached.has(from))) reached.add(move.to)
    }
    expect([...reached].sort()).toEqual([null, ...statuses].sort())
    for (const move of moves) expect([null, ...statuses]).toEqual(expect.arrayContaining([...move.from, move.to]))
  })

  it('name only known events', () => {
    const named = moves.flatMap((move) => move.event ?? [])
    expect(named.filter((event) => !(event in events))).toEqual([])
  })
})

describe('the moves of the specification', () => {
  const shown = (title: string) =>
    tableRows(section(text, title)).flatMap(([from = '', by = '', , to = '']) =>
      from.split(' or ').map((one) => [one, by, to] as const),
    )

  it.each(shown('Campaign statuses'))('allow a campaign to go from %s by %s to %s', (from, _by, to) => {
    expect(mayMove(campaignMoves as readonly Move<string>[], from === 'none' ? null : from, to)).toBe(true)
  })

  it.each(shown('Reminder statuses').filter(([from, , to]) => from !== to))(
    'allow a reminder to go from %s by %s to %s',
    (from, _by, to) => {
      const starts = from.split(', ').map((one) => (one === 'none' ? null : one))
      for (const start of starts) expect(mayMove(reminderMoves as readonly Move<string>[], start, to)).toBe(true)
    },
  )

  it.each<[MessageStatus | null, MessageStatus, boolean]>([
    [null, 'queued', true],
    [null, 'sending', true],
    ['queued', 'sending', true],
    ['sending', 'queued', true],
    ['sent', 'delivered', true],
    ['sent', 'read', true],
    ['delivered', 'read', true],
    ['sent', 'failed', true],
    ['failed', 'delivered', true],
    ['read', 'delivered', false],
    ['delivered', 'sent', false],
    ['sent', 'queued', false],
    ['failed', 'queued', false],
    ['read', 'failed', false],
  ])('let a message go from %s to %s: %s', (from, to, allowed) => {
    expect(mayMove(messageMoves, from, to)).toBe(allowed)
  })

  it('let a receipt raise the rank of a message and never lower it', () => {
    for (const { from, to } of messageMoves.filter((move) => move.by === 'receipt' && move.to !== 'failed')) {
      for (const start of from) {
        if (start === null || start === 'failed' || to === 'failed') continue
        expect(messageRank[to], `${start} to ${to}`).toBeGreaterThan(messageRank[start])
      }
    }
  })

  it('let each action of a campaign lead on from every status that takes it', () => {
    const goals = { send: 'sending', pause: 'paused', resume: 'sending', cancel: 'cancelled' } as const
    for (const [action, to] of Object.entries(goals) as [keyof typeof goals, (typeof goals)[keyof typeof goals]][]) {
      expect(campaignAllows[action].filter((from) => !mayMove(campaignMoves, from, to))).toEqual([])
    }
    expect(campaignStatuses.filter((status) => !(campaignAllows.delete as readonly string[]).includes(status))).toEqual(
      ['sending'],
    )
  })

  it('let a new time arm a reminder again from every status but processing', () => {
    expect(reminderStatuses.filter((status) => !(reminderAllows.rearm as readonly string[]).includes(status))).toEqual([
      'processing',
    ])
    expect(reminderAllows.cancel.filter((from) => !mayMove(reminderMoves, from, 'cancelled'))).toEqual([])
  })
})

describe('hasReached', () => {
  it.each<[MessageStatus, keyof typeof messageRank, boolean]>([
    ['queued', 'sent', false],
    ['sent', 'sent', true],
    ['read', 'delivered', true],
    ['delivered', 'read', false],
    ['failed', 'queued', false],
  ])('says whether %s has come as far as %s: %s', (status, goal, reached) => {
    expect(hasReached(status, goal)).toBe(reached)
  })
})

describe('otpSituations', () => {
  it("answer with the codes of the specification's table", () => {
    const shown = tableRows(section(text, 'One-time code')).flatMap(
      ([, result = '']) => result.match(/[A-Z_]{5,}/) ?? [],
    )
    expect(otpSituations.flatMap(({ code }) => code ?? []).sort()).toEqual(shown.sort())
  })
})

describe('messageErrorCodes', () => {
  it('reuse a code of the error catalogue or are words of their own', () => {
    const shared = Object.keys(messageErrorCodes).filter((code) => code in errors) as ErrorCode[]
    expect(shared.map((code) => errors[code].status)).toEqual([400, 502, 503, 503, 504, 403])
  })

  it.each(Object.values(messageErrorCodes))('have a sentence: %s', (sentence) => {
    expect(sentence).toMatch(/^[A-Z][^.]+\.$/)
  })
})
