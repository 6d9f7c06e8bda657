// What a service with a thousand linked numbers and nothing to do asks of its database.
import { countQueries, linkedNumbers, mark, quiet, withService } from './ground.mjs'

const seconds = 20
const counted = countQueries()

await withService({ PACING: 'on', SIM_SPEED: '0', SIM_AUTOLINK: '1' }, async (ground) => {
  await linkedNumbers(ground, 1000)
  await quiet(ground)
  await new Promise((resolve) => setTimeout(resolve, 3000))
  const before = counted.count()
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  mark('queries of an idle service with 1,000 linked numbers', (counted.count() - before) / seconds, {
    unit: 'queries/s',
    atMost: 5,
  })
})
