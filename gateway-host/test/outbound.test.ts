import { Readable } from 'node:stream'
import type { GatewaySession, SendReceipt } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { openHostLab } from './host-lab.ts'

const lab = await openHostLab()
const { driver, net } = lab
const [jane, phone] = ['12025550100', '15554452001']
const to = { kind: 'phone', digits: jane } as const
const timeoutMs = 10_000
let linked: Promise<GatewaySession> | undefined
/** The number of these tests, which the first one links. */
const ourNumber = () => (linked ??= lab.link(phone))

const text = (words: string) => ({ kind: 'text', text: words }) as const
const photo = Buffer.from('the bytes of a photo')
const file = { bytes: () => Readable.from([photo]), sizeBytes: photo.length, mimetype: 'image/png', filename: 'a' }

async function shownOf({ ref }: SendReceipt) {
  const { shown } = await net.phoneShows({ by: jane, from: phone, id: ref.networkId })
  return shown
}

function secretOf(shown: Awaited<ReturnType<typeof shownOf>>): string {
  const { messageContextInfo } = (shown?.message ?? {}) as { messageContextInfo?: { messageSecret?: string } }
  return messageContextInfo?.messageSecret ?? ''
}

describe('what a number sends', () => {
  it('is a poll that is marked as one', async () => {
    const session = await ourNumber()
    const poll = { kind: 'poll', question: 'When?', options: ['Mon', 'Tue'] } as const
    for (const multipleAnswers of [true, false]) {
      const content = { ...poll, options: [...poll.options], multipleAnswers }
      const sent = await driver.send(session, to, content, { clientId: `POLL${multipleAnswers}`, timeoutMs })
      expect(await shownOf(sent)).not.toBeNull()
    }
  })

  it.each(['image', 'video', 'file'] as const)('changes the caption of a sent %s, and the file stays', async (kind) => {
    const session = await ourNumber()
    const content = { kind, ...file, caption: 'before' }
    const sent = await driver.send(session, to, content, { clientId: `EDIT${kind}`, timeoutMs })
    await driver.edit(session, sent.ref, 'after', { timeoutMs })
    await expect.poll(() => shownOf(sent)).toMatchObject({ edited: 'after' })
    await driver.edit(session, sent.ref, 'at last', { timeoutMs })
    await expect.poll(() => shownOf(sent)).toMatchObject({ edited: 'at last' })
  })

  it('is changed and taken back without a mark on devices that cannot decrypt the change', async () => {
    const session = await ourNumber()
    const sent = await driver.send(session, to, text('one'), { clientId: 'CHANGED', timeoutMs })
    await driver.edit(session, sent.ref, 'two', { timeoutMs })
    await driver.revoke(session, sent.ref, { timeoutMs })
    await expect.poll(() => shownOf(sent)).toMatchObject({ edited: 'two', revoked: true })
  })

  it('has a secret of its own in each message, also in a forwarded one and for the same file', async () => {
    const session = await ourNumber()
    const send = (clientId: string, content: Parameters<typeof driver.send>[2]) =>
      driver.send(session, to, content, { clientId, timeoutMs })
    const first = await send('SECRET1', text('one'))
    const sent = [
      first,
      await send('SECRET2', { kind: 'image', ...file }),
      await send('SECRET3', { kind: 'image', ...file }),
    ]
    sent.push(await driver.forward(session, to, first.ref, { clientId: 'SECRET4', timeoutMs, fallback: text('one') }))
    const secrets = await Promise.all(sent.map(async (one) => secretOf(await shownOf(one))))
    expect(secrets.map((secret) => Buffer.from(secret, 'base64').length)).toEqual([32, 32, 32, 32])
    expect(new Set(secrets).size).toBe(4)
  })

  it('breaks no rule of the network', async () => {
    expect((await net.broken({})).rules).toEqual({})
  })
})
