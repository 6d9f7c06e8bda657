import { type ReminderStatus, type Repeat, reminderMoves, reminderStatuses, repeats } from '@msgctl/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Action,
  isMissed,
  nextMove,
  type Processed,
  type ReminderMove,
  type ReminderOutcome,
  transition,
} from './rules.ts'

const minuteMs = 60_000
const at = new Date('2027-03-31T09:00:00Z')
const passing: ReminderOutcome = { is: 'passing', error: 'NO_SESSION_CONFIGURED' }
const refused: ReminderOutcome = { is: 'refused', error: 'TRIAL_LIMIT_REACHED' }

function reminder(of: Partial<Processed> = {}): Processed {
  return { firstSendAt: at, sendAt: at, repeat: 'none', timeZone: 'UTC', failedTries: 0, failedRepeats: 0, ...of }
}

function minutesAfter(minutes: number, from = at): Date {
  return new Date(from.getTime() + minutes * minuteMs)
}

describe('a reminder whose time has come', () => {
  it('is done once its message is queued, and continues with the next occurrence when it repeats', () => {
    expect(nextMove(reminder(), { is: 'sent' }, at)).toMatchObject({ to: 'done', by: 'send', lastError: null })
    const next = new Date('2027-04-30T09:00:00Z')
    expect(nextMove(reminder({ repeat: 'monthly', failedRepeats: 4 }), { is: 'sent' }, minutesAfter(3))).toEqual({
      ...{ to: 'scheduled', by: 'repeat', sendAt: next, dueAt: next },
      ...{ failedTries: 0, failedRepeats: 0, lastError: null },
    })
  })

  it('is tried again after 1 and 5 minutes, then every 15, the last time after 60, and fails then', () => {
    const tries: number[] = []
    let now = at
    let state = reminder()
    for (;;) {
      tries.push((now.getTime() - at.getTime()) / minuteMs)
      const move = nextMove(state, passing, now)
      if (move.to === 'failed') {
        expect(move).toMatchObject({ by: 'refusal', lastError: 'NO_SESSION_CONFIGURED', sendAt: at })
        break
      }
      expect(move).toMatchObject({ to: 'scheduled', by: 'retry', sendAt: at })
      state = { ...state, ...move }
      now = move.dueAt
    }
    expect(tries).toEqual([0, 1, 6, 21, 36, 51, 60])
  })

  it.each([
    [60, 0, false],
    [60.01, 0, true],
    [60.5, 6, false],
    [61.01, 6, true],
  ])('%s minutes late after %s failed tries: missed is %s', (minutes, failedTries, expected) => {
    expect(isMissed(reminder({ failedTries }), minutesAfter(minutes))).toBe(expected)
  })

  it('fails as missed, refused or without its number', () => {
    expect(nextMove(reminder(), { is: 'missed' }, minutesAfter(90))).toMatchObject({
      to: 'failed',
      lastError: 'missed',
    })
    expect(nextMove(reminder(), refused, at)).toMatchObject({ to: 'failed', lastError: 'TRIAL_LIMIT_REACHED' })
    const gone = nextMove(reminder({ repeat: 'daily' }), { is: 'number_removed' }, at)
    expect(gone).toMatchObject({ to: 'failed', lastError: 'NUMBER_REMOVED' })
  })
})

describe('a repeating reminder', () => {
  it('continues after a refusal, and fails with the fifth in a row', () => {
    let state = reminder({ repeat: 'daily' })
    const moves: string[] = []
    for (let day = 0; day < 5; day += 1) {
      const move = nextMove(state, refused, state.sendAt)
      moves.push(`${move.to} ${move.failedRepeats}`)
      state = { ...state, ...move }
    }
    expect(moves).toEqual(['scheduled 1', 'scheduled 2', 'scheduled 3', 'scheduled 4', 'failed 5'])
  })

  it('counts from its first time, so that the 31st comes back after a 30th', () => {
    const april = reminder({ repeat: 'monthly', sendAt: new Date('2027-04-30T09:00:00Z') })
    expect(nextMove(april, { is: 'sent' }, april.sendAt).sendAt).toEqual(new Date('2027-05-31T09:00:00Z'))
  })

  it.each([
    ['3 hours', 180, '2027-04-01T09:00:00.000Z'],
    ['two days and a half', 60 * 60, '2027-04-03T09:00:00.000Z'],
    ['ten days and 30 minutes, of which the last is still in time', 10 * 24 * 60 + 30, '2027-04-10T09:00:00.000Z'],
  ])('that was not processed for %s continues with the first occurrence that is not missed', (_what, minutes, next) => {
    const move = nextMove(reminder({ repeat: 'daily' }), { is: 'missed' }, minutesAfter(minutes))
    expect(move).toMatchObject({ to: 'scheduled', lastError: 'missed', failedRepeats: 0 })
    expect(move.sendAt.toISOString()).toBe(next)
  })
})

describe('what a person does', () => {
  it.each<[Action, ReminderStatus, string | null]>([
    ['update', 'scheduled', null],
    ['update', 'processing', 'processing'],
    ['update', 'done', 'finished'],
    ['update', 'failed', 'finished'],
    ['update', 'cancelled', 'finished'],
    ['rearm', 'scheduled', null],
    ['rearm', 'processing', 'processing'],
    ['rearm', 'done', null],
    ['rearm', 'failed', null],
    ['rearm', 'cancelled', null],
    ['cancel', 'scheduled', null],
    ['cancel', 'processing', 'processing'],
    ['cancel', 'done', 'finished'],
    ['cancel', 'failed', 'finished'],
    ['cancel', 'cancelled', 'finished'],
  ])('%s of one that is %s: %s', (action, status, reason) => {
    const to = { update: status, rearm: 'scheduled', cancel: 'cancelled' }[action]
    expect(transition(status, action)).toEqual(reason ? { is: 'refused', reason } : { is: 'state', to })
  })
})

/** One reminder with everything that is done to it: the rules around a state, without a database. */
interface Model extends Processed {
  readonly status: ReminderStatus
  readonly dueAt: Date
  readonly scheduleVersion: number
}

type Step =
  | { readonly does: 'wait'; readonly minutes: number }
  | { readonly does: 'job'; readonly outcome: ReminderOutcome; readonly crashes: boolean }
  | { readonly does: Action; readonly inMinutes: number }

const steps = fc.oneof(
  fc.record({ does: fc.constant('wait' as const), minutes: fc.integer({ min: 0, max: 5000 }) }),
  fc.record({
    does: fc.constant('job' as const),
    outcome: fc.constantFrom<ReminderOutcome>({ is: 'sent' }, passing, refused, { is: 'number_removed' }),
    crashes: fc.boolean(),
  }),
  fc.record({
    does: fc.constantFrom<Action>('update', 'rearm', 'cancel'),
    inMinutes: fc.integer({ min: -5, max: 3000 }),
  }),
)

function requireShown(from: ReminderStatus, to: ReminderStatus, by: string): void {
  const shown = reminderMoves.some((move) => move.by === by && move.to === to && move.from.includes(from))
  if (!shown) throw new Error(`nothing shows a move from ${from} to ${to} by ${by}`)
}

/** Runs the steps, and returns the occurrences that were sent, each with its schedule version. */
function live(repeat: Repeat, timeZone: string, all: readonly Step[]): string[] {
  const sent: string[] = []
  let now = at
  let model: Model = { ...reminder({ repeat, timeZone }), status: 'scheduled', dueAt: at, scheduleVersion: 1 }
  for (const step of all) {
    if (step.does === 'wait') now = minutesAfter(step.minutes, now)
    else if (step.does === 'job') model = work(model, step, now, sent)
    else model = act(model, step, now)
    expect(reminderStatuses).toContain(model.status)
  }
  return sent
}

function work(model: Model, step: Step & { does: 'job' }, now: Date, sent: string[]): Model {
  const busy = model.status === 'scheduled' || model.status === 'processing'
  if (!busy || model.dueAt > now) return model
  if (model.status === 'scheduled') requireShown('scheduled', 'processing', 'scan')
  const taken: Model = { ...model, status: 'processing', dueAt: minutesAfter(2, now) }
  if (step.crashes) return taken
  const outcome: ReminderOutcome = isMissed(taken, now) ? { is: 'missed' } : step.outcome
  const move = nextMove(taken, outcome, now)
  requireShown('processing', move.to, move.by)
  judge(taken, outcome, move, now)
  if (outcome.is === 'sent') sent.push(`${taken.scheduleVersion} ${taken.sendAt.toISOString()}`)
  return { ...taken, ...move, status: move.to }
}

function judge(taken: Model, outcome: ReminderOutcome, move: ReminderMove, now: Date): void {
  if (outcome.is === 'sent') expect(now.getTime() - taken.sendAt.getTime()).toBeLessThanOrEqual(61 * minuteMs)
  if (move.by === 'repeat') {
    expect(move.sendAt > taken.sendAt).toBe(true)
    expect(now.getTime() - move.sendAt.getTime()).toBeLessThanOrEqual(60 * minuteMs)
  } else expect(move.sendAt).toEqual(taken.sendAt)
  if (move.by === 'retry') expect(move.dueAt > now).toBe(true)
  expect(move.failedRepeats).toBeLessThanOrEqual(5)
}

function act(model: Model, { does, inMinutes }: Step & { does: Action }, now: Date): Model {
  const ruling = transition(model.status, does)
  if (ruling.is === 'refused' || does === 'update') return model
  const { to } = ruling
  // A scheduled one that is given another time stays what it is.
  if (model.status !== to) requireShown(model.status, to, does)
  if (does === 'cancel') return { ...model, status: to }
  const sendAt = minutesAfter(inMinutes, now)
  const armed = { firstSendAt: sendAt, sendAt, dueAt: sendAt, failedTries: 0, failedRepeats: 0 }
  return { ...model, ...armed, status: to, scheduleVersion: model.scheduleVersion + 1 }
}

describe('any life of a reminder', () => {
  it('makes only moves that the table shows, sends an occurrence at most once and never a burst', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...repeats),
        fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
        fc.array(steps, { maxLength: 60 }),
        (repeat, timeZone, all) => {
          const sent = live(repeat, timeZone, all)
          expect(new Set(sent).size).toBe(sent.length)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('reaches every move of the table', () => {
    const reached = new Set<string>()
    for (const repeat of repeats) {
      for (const outcome of [{ is: 'sent' }, passing, refused, { is: 'missed' }] as const) {
        reached.add(nextMove(reminder({ repeat }), outcome, at).by)
      }
    }
    const byTheJob = reminderMoves.filter(({ from }) => from.includes('processing')).map(({ by }) => by)
    expect([...reached].sort()).toEqual([...new Set<string>(byTheJob)].sort())
  })
})
