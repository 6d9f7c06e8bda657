import { expect, it } from 'vitest'
import { toBatch } from '#platform/set-aside/work.ts'
import { insertBatch } from '#platform/set-aside/work-store.ts'
import { testServices } from '#testing/services.ts'
import { runGuarded } from './run-guarded.ts'

const services = await testServices()

it('does not run a job that another worker has in work, since a death with it would not be counted', async () => {
  let runs = 0
  const job = { name: 'test.job', everySeconds: 60, run: async () => void runs++ }
  await runGuarded(services, job)
  expect(runs).toBe(1)
  await insertBatch(services.db, toBatch('jobs', [{ id: job.name, organizationId: null }]))
  await runGuarded(services, job)
  expect(runs).toBe(1)
})
