import { type CampaignStatus, campaignMoves, campaignStatuses, mayMove } from '@msgctl/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { specified } from '#testing/features/campaign-moves.ts'
import { type CampaignAction, campaignActions, transition } from './rules.ts'

describe('the rules of a campaign', () => {
  it.each(campaignStatuses)('let one that is %s do what the specification shows, and nothing else', (status) => {
    for (const action of campaignActions) {
      const ruling = transition(status, action)
      const to = specified[status][action]
      if (to === undefined) expect(ruling).toMatchObject({ is: 'refused', code: 'CAMPAIGN_INVALID_STATE' })
      else expect(ruling).toEqual(to === 'gone' ? { is: 'gone' } : { is: 'state', to })
    }
  })

  it('name the states that would do when they refuse', () => {
    for (const status of campaignStatuses) {
      for (const action of campaignActions) {
        const ruling = transition(status, action)
        if (ruling.is !== 'refused') continue
        expect(ruling.allowed).toEqual(campaignStatuses.filter((other) => specified[other][action] !== undefined))
      }
    }
  })
})

/** A campaign that lives by the rules alone, as the verbs make it live in the database. */
class Ruled {
  status: CampaignStatus | 'gone' = 'draft'
  readonly moves: { from: CampaignStatus; to: CampaignStatus }[] = []

  do(action: CampaignAction): 'moved' | 'refused' {
    if (this.status === 'gone') return 'refused'
    const ruling = transition(this.status, action)
    if (ruling.is === 'refused') return 'refused'
    if (ruling.is === 'state' && ruling.to !== this.status) this.moves.push({ from: this.status, to: ruling.to })
    this.status = ruling.is === 'gone' ? 'gone' : ruling.to
    return 'moved'
  }
}

interface Model {
  status: CampaignStatus | 'gone'
}

function command(action: CampaignAction): fc.Command<Model, Ruled> {
  return {
    check: () => true,
    run(model, real) {
      const to = model.status === 'gone' ? undefined : specified[model.status][action]
      expect(real.do(action)).toBe(to === undefined ? 'refused' : 'moved')
      if (to !== undefined) model.status = to
      expect(real.status).toBe(model.status)
    },
    toString: () => action,
  }
}

describe('any life of a campaign', () => {
  it('makes only moves that the tables show, and a refused action leaves it where it was', () => {
    const reached = new Set<string>()
    const lives = fc.commands(
      campaignActions.map((action) => fc.constant(command(action))),
      { maxCommands: 40 },
    )
    fc.assert(
      fc.property(lives, (commands) => {
        const real = new Ruled()
        fc.modelRun(() => ({ model: { status: 'draft' } satisfies Model as Model, real }), commands)
        for (const { from, to } of real.moves) {
          expect(mayMove(campaignMoves, from, to)).toBe(true)
          reached.add(`${from} ${to}`)
        }
      }),
      { numRuns: 2000 },
    )
    const shown = campaignMoves.flatMap(({ from, to }) => from.flatMap((one) => (one === null ? [] : [`${one} ${to}`])))
    expect([...reached].sort()).toEqual([...new Set(shown)].sort())
  })
})
