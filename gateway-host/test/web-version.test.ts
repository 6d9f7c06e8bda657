import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { releasedWebVersion } from '@msgctl/network/web-version'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openHostLab } from './host-lab.ts'

let text = 'nothing'
let fetched = 0
const http = createServer((_, response) => {
  fetched++
  response.end(text)
})
await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/sw.js`
const lab = await openHostLab({ GATEWAY_WEB_VERSION_URL: url })
const { db, net } = lab
const { version: released } = releasedWebVersion

/** The ends of connections of a number that the host logged. */
function ends(containerId: string): Record<string, unknown>[] {
  const lines = lab.output().split('\n')
  const ended = lines.filter((line) => line.includes('connection_ended') && line.includes(containerId))
  return ended.map((line) => JSON.parse(line) as Record<string, unknown>)
}

describe('a version that the network refuses', { timeout: 90_000 }, () => {
  it('is fetched once, and the number fails only when the present one is refused, too', async () => {
    onTestFinished(() => void http.close())
    const phone = '15554470001'
    const session = await lab.link(phone)
    const { containerId } = session
    expect(fetched).toBe(1)
    expect(await db('gateway_web_version').first()).toMatchObject({ version: null, fault: expect.any(String) })

    text = '{"client_revision":1100000001}'
    await db('gateway_web_version').update({ triedAt: db.raw(`service_now() - interval '1 hour'`) })
    await net.refuse({ phone, refusal: { reason: '405', location: 'test' } })
    await lab.becomes(session, 'FAILED')
    expect(fetched).toBe(2)
    const refused = ends(containerId).filter(({ code }) => code === 405)
    expect(refused.map(({ webVersion }) => webVersion)).toEqual([released, '2.3000.1100000001'])
    const { reason, retry } = await lab.driver.state(session)
    expect(reason).toBe('client_outdated')
    expect(Math.round((Number(retry) - Date.now()) / 60_000)).toBe(60)

    await net.refuse({ phone, refusal: null })
    await lab.driver.start(session)
    await lab.becomes(session, 'WORKING')
    expect(fetched).toBe(2)
  })
})
