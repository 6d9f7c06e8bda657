import { randomBytes } from 'node:crypto'
import type { GatewaySession } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { openHostLab } from './host-lab.ts'

const lab = await openHostLab()
const { driver, net } = lab
const timeoutMs = 5000
const broken = async () => (await net.broken({})).rules['new-contact-token'] ?? 0
const isQuiet = () => expect.poll(async () => (await net.quiet({})).isQuiet).toBe(true)

function send(session: GatewaySession, digits: string) {
  const clientId = `3EB0${randomBytes(9).toString('hex').toUpperCase()}`
  return driver.send(session, { kind: 'phone', digits }, { kind: 'text', text: 'hi' }, { clientId, timeoutMs })
}

/** Gives an account a salt, and waits until its number has read it. */
async function provideSalt(phone: string): Promise<void> {
  const salt = randomBytes(32).toString('base64')
  // The phone shares its key some time after the link.
  await expect.poll(() => net.provideSalt({ phone, salt })).toEqual({})
  await isQuiet()
}

it('an account gives a person its token once, and not with each message', async () => {
  const session = await lab.link('15557310003')
  for (let sent = 0; sent < 6; sent++) {
    await send(session, '12025553106')
    await isQuiet()
  }
  expect((await net.broken({})).rules).not.toHaveProperty('token-once')
})

describe('a message to a person who never wrote', () => {
  it('carries a token that is computed with the salt of the account, also after a restart', async () => {
    const phone = '15557310001'
    const session = await lab.link(phone)
    await provideSalt(phone)
    // The network names the salt before the number has read it.
    await expect.poll(() => send(session, '12025553101').catch(() => null)).not.toBeNull()
    const before = await broken()
    await send(session, '12025553102')
    await driver.restart(session)
    await lab.becomes(session, 'WORKING')
    await send(session, '12025553103')
    expect(await broken()).toBe(before)
  })

  it('follows a salt that changes', async () => {
    const phone = '15557310002'
    const session = await lab.link(phone)
    for (const digits of ['12025553104', '12025553105']) {
      await provideSalt(phone)
      await expect.poll(() => send(session, digits).catch(() => null)).not.toBeNull()
    }
  })
})
