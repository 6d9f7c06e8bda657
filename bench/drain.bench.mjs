// How fast a queue drains through the simulated network at speed 0, without pace: queued to sent.
import { enqueue, linkedNumbers, mark, withService } from './ground.mjs'

const messages = 10_000
const env = { PACING: 'off', SIM_SPEED: '0', SIM_AUTOLINK: '1' }

for (const numbers of [1, 100]) {
  await withService(env, async (ground) => {
    const { db, services } = ground
    const made = await linkedNumbers(ground, numbers)
    await enqueue(ground, made, 500)
    await drained(db)
    await enqueue(ground, made, messages)
    const began = performance.now()
    services.wake.signal('lanes')
    await drained(db)
    const perSecond = messages / ((performance.now() - began) / 1000)
    mark(`drain of ${messages} messages over ${numbers} number(s)`, perSecond, { unit: 'messages/s', atLeast: 1000 })
  })
}

async function drained(db) {
  for (;;) {
    const { rows } = await db.raw(`select 1 from messages where status in ('queued', 'sending') limit 1`)
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
