import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openLab, tally } from './crash-lab.ts'

const rounds = Number(process.env.GATEWAY_ROUNDS ?? 5)
const lab = await openLab({ leaseSeconds: 3 })

describe('a host that stands still until its lease is over', () => {
  it(`sends nothing after it wakes up, in ${rounds} rounds`, { timeout: 600_000 }, async () => {
    const hosts = [await lab.newHost()]
    await lab.link('15554440002')
    hosts.push(await lab.newHost())
    const texts: string[] = []
    let isSending = true
    const sending = (async () => {
      while (isSending) {
        const text = `message ${texts.length}`
        texts.push(text)
        await lab.sendUntilDone(text, `1555666000${texts.length % 3}`)
        await wait(50)
      }
    })()
    let fromReplaced = 0
    lab.network.onStanza = (connection, stanza) => {
      if (connection.isReplaced && stanza.tag === 'message') fromReplaced++
    }
    const takeOverMs: number[] = []
    for (let round = 0; round < rounds; round++) {
      const url = await ownerUrl()
      const owner = hosts.find(({ started }) => started.address === url) ?? expect.fail('the owner is unknown')
      const { logins } = lab.network.counts
      owner.child.kill('SIGSTOP')
      const stoppedMs = performance.now()
      await expect.poll(() => lab.network.counts.logins, { timeout: 30_000 }).toBeGreaterThan(logins)
      takeOverMs.push(performance.now() - stoppedMs)
      await wait(500)
      owner.child.kill('SIGCONT')
      await wait(3000)
    }
    isSending = false
    await sending
    await expect.poll(() => tally(lab, texts).lost).toBe(0)
    expect(tally(lab, texts)).toEqual({ lost: 0, twice: 0, undecryptable: 0 })
    expect(fromReplaced).toBe(0)
    expect(Math.max(...takeOverMs)).toBeLessThan(8000)
    process.stderr.write(`take-over in ${takeOverMs.map(Math.round).join(', ')} ms, ${texts.length} messages\n`)
  })
})

async function ownerUrl(): Promise<string> {
  const { rows } = await lab.db.raw(
    'select h.url from gateway_sessions s join gateway_hosts h on h.id = s.host_id where s.container_id = ?',
    [lab.session.containerId],
  )
  return (rows as { url: string }[])[0]?.url ?? ''
}
