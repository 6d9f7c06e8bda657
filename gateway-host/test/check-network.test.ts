import { proxyLocation } from '@msgctl/network/proxy-address'
import { writeProxy } from '@msgctl/server/networks/gateway/direct/operator-store'
import { probeWays } from '@msgctl/server/networks/gateway/direct/probe'
import { judgeWays } from '@msgctl/server/process/check/network-rules'
import { describe, expect, it } from 'vitest'
import { openHostLab } from './host-lab.ts'
import { startHttpProxy, startRefusingProxy } from './loopback-proxies.ts'

const lab = await openHostLab()
const { db, secrets, net } = lab

/** Returns the findings as an operator reads them, without the addresses of this machine. */
async function findings(): Promise<string[]> {
  const found = judgeWays(await probeWays(db, secrets))
  return found.map(({ name, outcome, text }) => `${outcome} ${name.split(' ')[0]}: ${text}`)
}

describe('the check of the network', () => {
  it('finds the way good, and links nothing', async () => {
    const before = await net.counts({})
    expect(await findings()).toEqual([
      expect.stringMatching(/^ok Way: 127\.0\.0\.1:\d+ offered a QR after \d+ ms to version 2\.3000\.\d+$/),
      expect.stringMatching(/^ok Files: localhost:\d+ responded after \d+ ms$/),
      expect.stringMatching(/^ok Clock: /),
    ])
    expect((await net.counts({})).logins).toBe(before.logins)
    await expect.poll(async () => (await net.counts({})).connections).toBe(0)
  })

  it('says that the version is too old', async () => {
    await net.setOldest({ loggedIn: 2_000_000_000 })
    expect((await findings())[0]).toMatch(/^failed Way: The network takes the version .* no more\. Run: msgctl-server /)
    await net.setOldest({ loggedIn: 1 })
  })

  it('tries the way through each proxy of a number', async () => {
    const session = await lab.link('15557400001')
    const set = async (address: string) => {
      const { containerId } = session
      await writeProxy(db, session, secrets.encrypt(address, proxyLocation(containerId)))
      await lab.becomes(session, 'STARTING').catch(() => undefined)
    }
    const proxy = await startHttpProxy()
    await set(proxy.address)
    await lab.becomes(session, 'WORKING')
    expect((await findings()).filter((line) => line.startsWith('ok'))).toHaveLength(6)
    await set(await startRefusingProxy(407))
    await expect
      .poll(findings, { timeout: 30_000 })
      .toContainEqual('failed Way: A proxy responded 407. Check its name and password: msgctl-server gateway proxy set')
  })
})
