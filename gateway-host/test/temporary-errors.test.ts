import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openHostLab } from './host-lab.ts'

const lab = await openHostLab()
const { driver, net } = lab
const to = { kind: 'phone', digits: '12025550100' } as const
const timeoutMs = 10_000
const failure = { kind: 'unreachable', outcome: 'not_sent' }

describe('an error of the network that will pass', () => {
  it('fails a message as one that can be sent again', async () => {
    const session = await lab.link('15554454001')
    onTestFinished(() => net.setFaults({}))
    await net.setFaults({ refusals: { [to.digits]: '503' } })
    const send = () => driver.send(session, to, { kind: 'text', text: 'hello' }, { clientId: 'AGAIN', timeoutMs })
    await expect(send()).rejects.toMatchObject(failure)
    await net.setFaults({})
    expect((await send()).status).toBe('sent')
  })

  it('fails a query as one that can be repeated', async () => {
    const session = await lab.link('15554454002')
    onTestFinished(() => net.setFaults({}))
    await net.setFaults({ iq: { usync: { code: '500', text: 'internal-server-error' } } })
    await expect(driver.check(session, ['12025550120'])).rejects.toMatchObject(failure)
  })

  it.each([
    ['w:m', '500'],
    ['w:m', '507'],
  ])('fails the upload of a file (%s %s)', async (xmlns, code) => {
    const session = await lab.link(`15554454${code}`)
    onTestFinished(() => net.setFaults({}))
    await net.setFaults({ iq: { [xmlns]: { code, text: 'internal-server-error' } } })
    const photo = Buffer.from('the bytes of a photo')
    const file = { bytes: () => Readable.from([photo]), sizeBytes: photo.length, mimetype: 'image/png' }
    const send = driver.send(session, to, { kind: 'image', ...file }, { clientId: 'FILE', timeoutMs })
    await expect(send).rejects.toMatchObject(failure)
  })
})
