import type { PeriodicJob } from '#platform/periodic-jobs.ts'
import { workOn } from '#platform/set-aside/work.ts'
import type { Services } from '#services.ts'

/**
 * Runs a periodic job. One that works on items of organizations sets those aside; any other one is set aside itself
 * when it ends worker after worker, and tried again each hour. Throws while it is set aside.
 */
export async function runGuarded(services: Services, job: PeriodicJob): Promise<void> {
  if (job.items) return job.run(services)
  const { name } = job
  const work = { run: () => job.run(services) }
  // One that another worker runs, or died with a moment ago, waits for its next time: here its death would not be
  // counted.
  const { setAside } = await workOn(services, 'jobs', [{ id: name, organizationId: null }], work)
  if (setAside.length > 0) throw new Error(`the job ${name} is set aside: several workers died while they ran it`)
}
