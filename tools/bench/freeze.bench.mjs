// How long one body of one organization keeps another organization waiting: its slowest GET /me, the median of three
// runs.
import { Worker } from 'node:worker_threads'
import { linkedNumbers, makeKey, record, withService } from './support/harness.mjs'

/** @import { SlowestRead } from './freeze/caller.mjs' */

const env = { SIM_SPEED: '0', SIM_AUTOLINK: '1', PORT: '0' }

await withService(env, async (harness) => {
  const [{ createApp, listen }, { handlers }] = await Promise.all([
    import('@msgctl/server/process/app'),
    import('@msgctl/server/process/handlers'),
  ])
  const keyOf = async () => {
    const { organizationId } = await linkedNumbers(harness, 1)
    return makeKey(harness, organizationId)
  }
  const [attacker, other] = [await keyOf(), await keyOf()]
  const http = await listen(createApp(harness.services, handlers), harness.services.config)
  try {
    const { address } = http
    const callers = new Worker(new URL('freeze/caller.mjs', import.meta.url), {
      workerData: { address, attacker, other },
    })
    await new Promise((resolve, reject) => {
      callers.on('error', reject).on('message', (/** @type {SlowestRead | null} */ figure) => {
        if (figure === null) return resolve(undefined)
        record(`GET /me of another organization, during ${figure.what}, answered ${figure.status}`, figure.slowest, {
          unit: 'ms',
          // A valid list is handled, so it has no target.
          ...(figure.status !== 200 && { atMost: 50 }),
        })
      })
    })
  } finally {
    await http.stop()
  }
})
