import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openLab } from './crash-lab.ts'
import { write } from './network/people/writing.ts'

const kills = Number(process.env.GATEWAY_KILLS ?? 20)
const lab = await openLab({ leaseSeconds: 1 })
const phone = '15554440001'

describe('a host that dies while messages arrive', () => {
  it(`loses nothing and reports nothing twice in ${kills} kills`, { timeout: 600_000 }, async () => {
    let host = await lab.newHost()
    await lab.link(phone)
    const written: string[] = []
    for (let kill = 0; kill < kills; kill++) {
      const exited = once(host.child, 'exit')
      // At the first to the fourth frame after an arrival.
      let frames = 1 + (kill % 4)
      lab.network.onStanza = () => {
        if (--frames === 0) host.child.kill('SIGKILL')
      }
      for (let n = 0; n < 4; n++) {
        const from = `155588800${String((kill + n) % 5).padStart(2, '0')}`
        written.push(await write(lab.network, from, phone, { conversation: `written ${kill}/${n}` }))
        await wait(10)
      }
      if (!(await Promise.race([exited.then(() => true), wait(3000, false)]))) host.child.kill('SIGKILL')
      await exited
      lab.network.onStanza = null
      const logins = lab.network.counts.logins
      host = await lab.newHost()
      await expect.poll(() => lab.network.counts.logins, { timeout: 30_000 }).toBeGreaterThan(logins)
      await wait(300)
    }
    const reported = () => lab.events.flatMap((event) => (event.kind === 'message.in' ? [event.message.networkId] : []))
    await expect.poll(() => written.filter((id) => !reported().includes(id)).length, { timeout: 30_000 }).toBe(0)
    expect(reported().length).toBe(new Set(reported()).size)
    expect(lab.network.counts.retriesOfDevices).toBe(0)
  })
})
