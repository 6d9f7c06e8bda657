import { describe, expect, it } from 'vitest'
import type { JobStanding } from './job-store.ts'
import { watchJobs } from './job-watch.ts'

const jobs = [
  { name: 'often', everySeconds: 15 },
  { name: 'hourly', everySeconds: 3600 },
]

function standing(name: string, secondsSinceEnd: number | null, isLocked = false): JobStanding {
  return { name, secondsSinceEnd, isLocked, isKnown: true, isDue: false, isWrong: false }
}

function watchAt() {
  let seconds = 1000
  const watch = watchJobs(jobs, () => seconds * 1000)
  function pass(more: number): void {
    seconds += more
  }
  return { watch, pass }
}

describe('a watch of periodic jobs', () => {
  it.each([
    [0, null],
    [5000, null],
    [-5000, null],
    [7_200_000, /7200 s ahead of the database's.* runs no periodic jobs and delivers no webhooks\.$/],
    [-6000, /6 s behind the database's.* runs no periodic jobs\.$/],
  ])('finds the clock that is %s ms ahead right or wrong', (aheadMs, problem) => {
    const { watch } = watchAt()
    watch.take({ aheadMs, jobs: [] })
    if (problem === null) expect(watch.problem()).toBeNull()
    else expect(watch.problem()).toMatch(problem)
    expect(watch.wrongClock()).toBe(watch.problem())
    watch.take({ aheadMs: 0, jobs: [] })
    expect(watch.problem()).toBeNull()
  })

  it('names a job that has not ended for three of its intervals', () => {
    const { watch, pass } = watchAt()
    pass(3600)
    watch.take({ aheadMs: 0, jobs: [standing('often', 40), standing('hourly', 60)] })
    pass(5)
    expect(watch.problem()).toBeNull()
    pass(1)
    expect(watch.problem()).toBe('Periodic jobs have not ended for 3 intervals: often.')
    watch.ended('often')
    expect(watch.problem()).toBeNull()
  })

  it('judges only the time since it started, whatever happened before', () => {
    const { watch, pass } = watchAt()
    watch.take({ aheadMs: 0, jobs: [standing('often', 86_400), standing('hourly', null)] })
    pass(45)
    expect(watch.problem()).toBeNull()
    expect(Object.fromEntries(watch.secondsSinceEnd())).toEqual({ often: 86_445, hourly: 45 })
    pass(1)
    expect(watch.problem()).toMatch(/: often\.$/)
  })

  it('waits for a job that a worker is running', () => {
    const { watch, pass } = watchAt()
    pass(600)
    watch.take({ aheadMs: 0, jobs: [standing('often', 300, true)] })
    expect(watch.problem()).toBeNull()
    watch.take({ aheadMs: 0, jobs: [standing('often', 315)] })
    expect(watch.problem()).toMatch(/: often\.$/)
  })

  it('counts a job as ended while it has nothing to do', () => {
    const { watch, pass } = watchAt()
    pass(600)
    watch.take({ aheadMs: 0, jobs: [standing('often', 600)] }, new Set(['often']))
    expect(watch.problem()).toBeNull()
    pass(15)
    watch.take({ aheadMs: 0, jobs: [standing('often', 615)] })
    expect(watch.problem()).toBeNull()
    expect(watch.secondsSinceEnd().get('often')).toBe(15)
    pass(31)
    watch.take({ aheadMs: 0, jobs: [standing('often', 646)] })
    expect(watch.problem()).toMatch(/: often\.$/)
  })
})
