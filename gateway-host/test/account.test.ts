import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { samples } from '@msgctl/server/testing/sample-files'
import { describe, expect, it } from 'vitest'
import { openHostLab } from './host-lab.ts'

const lab = await openHostLab()
const { driver, net } = lab
const jane = '12025550100'
const to = { kind: 'phone', digits: jane } as const
const photo = Buffer.from('the bytes of a photo')
const timeoutMs = 10_000

function image(caption: string) {
  const bytes = () => Readable.from([photo])
  return { kind: 'image', bytes, sizeBytes: photo.length, mimetype: 'image/png', caption } as const
}

describe('files', () => {
  it('reach the phone as they were sent, and are uploaded once for all recipients', async () => {
    const session = await lab.link('15554450001')
    for (const clientId of ['FIRST', 'SECOND']) {
      await driver.send(session, to, image(`to ${clientId}`), { clientId, timeoutMs })
    }
    const { messages } = await net.transcript({ from: '15554450001' })
    const parts = messages.map(({ message }) => (message as { imageMessage: Record<string, string> }).imageMessage)
    expect(parts.map(({ caption }) => caption)).toEqual(['to FIRST', 'to SECOND'])
    expect(parts[1]?.directPath).toBe(parts[0]?.directPath)
    const { base64 } = await net.openFile({ by: jane, from: '15554450001', id: 'SECOND' })
    expect(Buffer.from(base64, 'base64')).toEqual(photo)
  })

  it.each([
    ['image', '15554450021'],
    ['video', '15554450022'],
    ['file', '15554450023'],
  ] as const)('sent as %s open on the phone, whatever their type', async (kind, phone) => {
    const session = await lab.link(phone)
    const bytes = () => Readable.from([photo])
    const content = { kind, bytes, sizeBytes: photo.length, mimetype: 'image/png', seconds: 1 }
    await driver.send(session, to, content, { clientId: 'ONLY', timeoutMs })
    const { base64 } = await net.openFile({ by: jane, from: phone, id: 'ONLY' })
    expect(Buffer.from(base64, 'base64')).toEqual(photo)
    const { shown } = await net.phoneShows({ by: jane, from: phone, id: 'ONLY' })
    const [part] = Object.values(shown?.message as object) as object[]
    for (const unknown of ['width', 'height', 'jpegThumbnail']) expect(part).not.toHaveProperty(unknown)
  })

  it('sent as a voice note must be one', async () => {
    const phone = '15554450024'
    const session = await lab.link(phone)
    const voice = (bytes: Buffer) =>
      ({
        kind: 'voice',
        bytes: () => Readable.from([bytes]),
        sizeBytes: bytes.length,
        mimetype: 'audio/ogg; codecs=opus',
        seconds: 1,
      }) as const
    await expect(driver.send(session, to, voice(photo), { clientId: 'NONE', timeoutMs })).rejects.toMatchObject({
      kind: 'rejected',
      outcome: 'not_sent',
      safeMessage: expect.stringContaining('must be Ogg with Opus'),
    })
    await driver.send(session, to, voice(samples.opus), { clientId: 'NOTE', timeoutMs })
    const { base64 } = await net.openFile({ by: jane, from: phone, id: 'NOTE' })
    expect(Buffer.from(base64, 'base64')).toEqual(samples.opus)
  })

  it.each([
    ['image/jpeg', 'image'],
    ['video/mp4', 'video'],
    ['audio/ogg; codecs=opus', 'voice'],
    ['application/pdf', 'file'],
  ])('of the type %s come from people', async (mimetype, type) => {
    const phone = `1555445001${type.length}`
    const session = await lab.link(phone)
    await net.sendFile({ from: jane, to: phone, mimetype, base64: photo.toString('base64') })
    await expect.poll(() => lab.eventsOf(session, 'message.in')).toHaveLength(1)
    const [event] = lab.eventsOf(session, 'message.in')
    expect(event?.message).toMatchObject({ type, media: { mimetype, sizeBytes: photo.length } })
    const { networkId = '', raw = null } = event?.message ?? {}
    const file = await driver.fetchMedia(session, { networkId, chat: to, raw })
    expect(file?.mimetype).toBe(mimetype)
    expect(await buffer(file?.bytes ?? Readable.from([]))).toEqual(photo)
  })
})

describe('the limits of an account', () => {
  it('are reported when it connects, and name the end of the time lock', async () => {
    const phone = '15554450002'
    const resetsAt = new Date(Math.floor(Date.now() / 1000) * 1000 + 3_600_000)
    const seconds = String(resetsAt.getTime() / 1000)
    await net.setAccount({
      phone,
      timelock: { is_active: true, time_enforcement_ends: seconds },
      capping: { total_quota: 50, used_quota: 7, cycle_end_timestamp: seconds },
    })
    const refused = '12025550137'
    await net.setFaults({ refusals: { [refused]: '463' } })
    const session = await lab.link(phone)
    await expect.poll(() => lab.eventsOf(session, 'account.limits')).toHaveLength(1)
    const [event] = lab.eventsOf(session, 'account.limits')
    const { limits } = event ?? {}
    expect(limits?.newChats).toMatchObject({ used: 7, quota: 50 })
    expect(Math.abs((limits?.blockedUntil?.getTime() ?? 0) - resetsAt.getTime())).toBeLessThan(2000)
    await expect(
      driver.send(
        session,
        { kind: 'phone', digits: refused },
        { kind: 'text', text: 'x' },
        { clientId: 'NEW', timeoutMs },
      ),
    ).rejects.toMatchObject({ kind: 'new_chat_refused', outcome: 'not_sent', blockedUntil: resetsAt })
  })
})

describe('a refused person', () => {
  it('is no time lock of the account that may begin conversations', async () => {
    const refused = '12025550138'
    await net.setFaults({ refusals: { [refused]: '463' } })
    const session = await lab.link('15554450005')
    const text = { kind: 'text', text: 'x' } as const
    await expect(
      driver.send(session, { kind: 'phone', digits: refused }, text, { clientId: 'NEW', timeoutMs }),
    ).rejects.toMatchObject({ kind: 'contact_refused', outcome: 'not_sent', blockedUntil: undefined })
  })
})

describe('the profile of an account', () => {
  it('gets a picture as it was given', async () => {
    const session = await lab.link('15554450004')
    const bytes = () => Readable.from([photo])
    const before = await driver.profile(session)
    expect(before.pictureUrl).toBeNull()
    await driver.setProfile(session, { picture: { bytes, sizeBytes: photo.length, mimetype: 'image/jpeg' } })
    expect((await driver.profile(session)).pictureUrl).toMatch(/^https:/)
    expect(Buffer.from((await net.account({ phone: '15554450004' })).picture ?? '', 'base64')).toEqual(photo)
  })
})

describe('the presence of an account', () => {
  it('is shown from its first message on', async () => {
    const phone = '15554450003'
    const session = await lab.link(phone)
    await expect.poll(async () => (await net.account({ phone })).presence.at(-1)).toBe('unavailable')
    expect((await net.account({ phone })).presence).not.toContain('available')
    await driver.send(session, to, { kind: 'text', text: 'hi' }, { clientId: 'HI', timeoutMs })
    await driver.send(session, to, { kind: 'text', text: 'there' }, { clientId: 'THERE', timeoutMs })
    const shown = async () => (await net.account({ phone })).presence.filter((state) => state === 'available')
    await expect.poll(shown).toEqual(['available'])
  })

  it('is unavailable while nothing is sent, whatever the library stores', async () => {
    const phone = '15554450006'
    const session = await lab.link(phone)
    const presence = async () => (await net.account({ phone })).presence
    for (const name of ['First', 'Second']) {
      await expect.poll(() => driver.setProfile(session, { name }), { timeout: 20_000 }).toMatchObject({ name })
      await net.write({ from: jane, to: phone, message: { conversation: `hello ${name}` } })
    }
    await expect.poll(() => lab.eventsOf(session, 'message.in')).toHaveLength(2)
    const { logins } = await net.counts({})
    await net.streamError({ phone, code: '503' })
    await expect.poll(async () => (await net.counts({})).logins).toBeGreaterThan(logins)
    await lab.becomes(session, 'WORKING')
    await expect.poll(async () => (await presence()).at(-1)).toBe('unavailable')
    expect(await presence()).not.toContain('available')
  })
})
