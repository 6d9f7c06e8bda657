import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { newId, openLab, tally } from './crash-lab.ts'

const kills = Number(process.env.GATEWAY_KILLS ?? 15)
const lab = await openLab({ leaseSeconds: 1 })

describe('a host that dies right after a message has left', () => {
  it(`loses nothing, sends nothing twice, and breaks no ratchet in ${kills} kills`, { timeout: 600_000 }, async () => {
    let host = await lab.newHost()
    await lab.link('15554440000')
    const texts: string[] = []
    for (let kill = 0; kill < kills; kill++) {
      for (let n = 0; n < 6; n++) {
        const [id, text] = [newId(), `message ${kill}/${n}`]
        texts.push(text)
        const exited = once(host.child, 'exit')
        if (n === 4) {
          lab.network.onStanza = (_connection, stanza) => {
            if (stanza.tag === 'message' && stanza.attrs.id === id) host.child.kill('SIGKILL')
          }
        }
        const sent = lab.sendUntilDone(text, `155577701${String(texts.length % 4).padStart(2, '0')}`, id)
        if (n === 4) {
          await exited
          lab.network.onStanza = null
          host = await lab.newHost()
        }
        await sent
      }
    }
    await expect.poll(() => tally(lab, texts).lost).toBe(0)
    expect(tally(lab, texts)).toEqual({ lost: 0, twice: 0, undecryptable: 0 })
  })
})
