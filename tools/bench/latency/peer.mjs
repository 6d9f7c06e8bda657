// A queue that works in a process of its own, as ours does apart from the API: it marks when the handler of each job
// began. PEER is its name; it prints where its times are read.
import { openGraphileWorker, openPgBoss } from '../support/peers.mjs'
import { serveTimes } from './times.mjs'

const { PEER, DATABASE_URL = '' } = process.env
const times = await serveTimes()

if (PEER === 'graphile-worker') {
  const { work } = await openGraphileWorker(DATABASE_URL)
  await work({
    async nothing({ n }) {
      times.mark(n)
    },
  })
} else {
  const boss = await openPgBoss(DATABASE_URL, { useListenNotify: true })
  await boss.createQueue('nothing', { notify: true })
  await boss.work('nothing', { pollingIntervalSeconds: 0.5, batchSize: 20 }, async (jobs) => {
    for (const { data } of jobs) times.mark(data.n)
  })
}
console.log(times.address)
await times.stopped
process.exit()
