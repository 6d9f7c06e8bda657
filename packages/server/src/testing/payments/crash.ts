import { type CrashPoint, onCrashPoint } from '#platform/crash-points.ts'
import { rows } from '#platform/db/db.ts'
import type { TestServer } from '#testing/start-server.ts'
import type { Buyer } from './buyer.ts'

/** What ends a call as the death of its process does: nothing behind the point happens. */
class Died extends Error {}

/**
 * Runs a call that dies at a point: what was not committed is lost, and the lease stays taken, as after kill -9.
 * Returns whether the point was reached.
 */
export async function dieAt(
  { db }: Pick<TestServer, 'db'>,
  { organizationId }: Pick<Buyer, 'organizationId'>,
  point: CrashPoint,
  call: () => Promise<unknown>,
): Promise<boolean> {
  let died = false
  const off = onCrashPoint((reached) => {
    if (reached !== point || died) return
    died = true
    throw new Died(`died at ${point}`)
  })
  try {
    await call().catch(() => undefined)
  } finally {
    off()
  }
  if (died) {
    await rows(
      db,
      `update billing_accounts set lease_token = gen_random_uuid(), lease_until = service_now() + interval '150 s'
        where organization_id = :organizationId`,
      { organizationId },
    )
  }
  return died
}
