import type { PlanLine, PlanPeriod } from './provider-records.ts'

/** What a card does, by a name that the provider and the simulator both have a card for. */
export type ScenarioCard = 'pays' | 'fails-later' | 'asks-always' | 'disputed'

/** One step of a history. */
export type ScenarioStep =
  | { readonly does: 'buy'; readonly lines: readonly PlanLine[]; readonly period?: PlanPeriod }
  | { readonly does: 'change'; readonly lines: readonly PlanLine[]; readonly period?: PlanPeriod }
  | { readonly does: 'card'; readonly card: ScenarioCard }
  | { readonly does: 'stop'; readonly when: 'period_end' | 'now' | 'never' }
  | { readonly does: 'wait'; readonly days: number }
  /** Until an hour after the end of the period, when its invoice was tried. */
  | { readonly does: 'renew' }
  /** The open invoice is paid with a card that pays. */
  | { readonly does: 'pay' }
  | { readonly does: 'refund' }

/** When scenarios begin: a month of 31 days in a year of 365, so that amounts are the same whenever they are played. */
export const usualStart = '2027-03-01T12:00:00Z'

/** A history of one customer, that the simulator and the provider are compared in. */
export interface Scenario {
  readonly name: string
  readonly currency?: string
  /** When it begins; without it {@link usualStart}. */
  readonly from?: string
  readonly card?: ScenarioCard
  readonly steps: readonly ScenarioStep[]
}

const notify: PlanLine = { item: 'notify', quantity: 1 }
const shop: PlanLine = { item: 'shop', quantity: 1 }
const developer: PlanLine = { item: 'developer', quantity: 1 }
const extra = (quantity: number): PlanLine => ({ item: 'extra_numbers', quantity })
const buy = (...lines: PlanLine[]) => ({ does: 'buy', lines }) as const
const change = (...lines: PlanLine[]) => ({ does: 'change', lines }) as const
const wait = (days: number) => ({ does: 'wait', days }) as const
const renew = { does: 'renew' } as const

/** The histories. Each begins with a new customer. */
export const scenarios: readonly Scenario[] = [
  { name: 'buy, and renew twice', steps: [buy(notify), renew, renew] },
  { name: 'add a product', steps: [buy(notify), wait(10), change(notify, shop), renew] },
  { name: 'one product instead of another', steps: [buy(notify), wait(15), change(shop)] },
  {
    name: 'less becomes credit, which pays the next invoice',
    steps: [buy(shop, notify), wait(5), change(notify), renew],
  },
  {
    name: 'extra numbers, more and fewer',
    steps: [
      buy(developer, extra(1)),
      wait(7),
      change(developer, extra(4)),
      wait(7),
      change(developer, extra(2)),
      renew,
    ],
  },
  {
    name: 'month to year, and back',
    steps: [
      buy(notify),
      wait(10),
      { does: 'change', lines: [notify], period: 'year' },
      wait(10),
      { does: 'change', lines: [notify], period: 'month' },
      renew,
    ],
  },
  {
    name: 'a change that is declined waits, and is paid',
    steps: [buy(notify), { does: 'card', card: 'fails-later' }, change(notify, shop), { does: 'pay' }],
  },
  {
    name: 'a change that has to be confirmed is over after a day',
    steps: [buy(notify), { does: 'card', card: 'asks-always' }, change(notify, shop), wait(1)],
  },
  {
    name: 'a renewal that is declined, until it is unpaid, then paid',
    steps: [buy(notify), { does: 'card', card: 'fails-later' }, renew, wait(3), wait(4), { does: 'pay' }],
  },
  { name: 'a renewal that has to be confirmed', steps: [buy(notify), { does: 'card', card: 'asks-always' }, renew] },
  {
    name: 'set to stop, resumed, set to stop and ended',
    steps: [
      buy(notify),
      { does: 'stop', when: 'period_end' },
      { does: 'stop', when: 'never' },
      renew,
      { does: 'stop', when: 'period_end' },
      renew,
    ],
  },
  { name: 'ended at once', steps: [buy(notify), wait(3), { does: 'stop', when: 'now' }] },
  { name: 'paid back', steps: [buy(notify), { does: 'refund' }] },
  { name: 'disputed', card: 'disputed', steps: [buy(notify)] },
  { name: 'yen', currency: 'JPY', steps: [buy(notify), wait(11), change(notify, shop), renew] },
  { name: 'dinars', currency: 'KWD', steps: [buy(notify), wait(11), change(notify, shop), renew] },
  { name: 'kronur', currency: 'ISK', steps: [buy(notify), wait(11), change(notify, shop), renew] },
  { name: 'from 31 January', from: '2027-01-31T12:00:00Z', steps: [buy(notify), renew, renew, renew] },
]
