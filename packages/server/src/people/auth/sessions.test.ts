import { limits } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { activityOf, mailsTo, makePerson, password } from '#testing/features/person.ts'
import { sessionOf } from '#testing/session-of.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false, env: { TRUSTED_PROXIES: '127.0.0.1' } })
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const ended = { code: 'AUTH_ERROR', details: { reason: 'invalid_session' } }
let addresses = 0

/** Signs in with a program, from an address of its own. */
async function signIn(email: string, userAgent = 'msgctl/1.2.3') {
  addresses += 1
  const ip = `10.2.${addresses >> 8}.${addresses & 255}`
  const visitor = server.client({ headers: { 'user-agent': userAgent, 'x-forwarded-for': ip } })
  const { token } = await sessionOf(visitor.auth.signIn({ email, password }))
  return { token, ip, client: server.client({ token }) }
}

describe('the sessions of a person', () => {
  it('are listed with program and address, the latest first, and nothing else of the header', async () => {
    const { email, client, organizationId } = await makePerson(server)
    const { ip } = await signIn(email, `${firefox} secret-in-the-header`)
    const { sessions } = await client.auth.sessions()
    expect(sessions).toHaveLength(2)
    expect(sessions[0]).toMatchObject({
      ip,
      client: 'Firefox on Linux',
      current: false,
      organization: { id: organizationId },
    })
    expect(sessions[1]).toMatchObject({ current: true })
    expect(JSON.stringify(sessions)).not.toContain('secret')
  })

  it("end one by one, at once, and only one's own", async () => {
    const { email, client, organizationId } = await makePerson(server)
    const stranger = await makePerson(server)
    const other = await signIn(email)
    const id = (await client.auth.sessions()).sessions.find(({ current }) => !current)?.id ?? ''
    await expect(stranger.client.auth.endSession({ sessionId: id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await other.client.account.me()).email).toBe(email)
    expect(await client.auth.endSession({ sessionId: id })).toEqual({ success: true, ended: 1 })
    await expect(other.client.account.me()).rejects.toMatchObject(ended)
    await expect(client.auth.endSession({ sessionId: id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await activityOf(server, organizationId)).map(({ action }) => action)).toEqual([
      'organization.signed_up',
      'session.started',
      'session.ended',
    ])
  })

  it('end all together but for the one that calls', async () => {
    const { email, client } = await makePerson(server)
    const others = [await signIn(email), await signIn(email)]
    expect(await client.auth.endSessions()).toEqual({ success: true, ended: 2 })
    for (const other of others) await expect(other.client.account.me()).rejects.toMatchObject(ended)
    expect((await client.auth.sessions()).sessions).toHaveLength(1)
  })

  it('are 50 at most; a new one ends the oldest', async () => {
    const { email, client } = await makePerson(server)
    for (let n = 0; n < limits.sessionsPerPerson; n += 1) await signIn(email)
    await expect(client.account.me()).rejects.toMatchObject(ended)
    const { client: latest } = await signIn(email)
    expect((await latest.auth.sessions()).sessions).toHaveLength(limits.sessionsPerPerson)
  })

  it('are mailed when they begin with another program, and not otherwise', async () => {
    const { email } = await makePerson(server)
    const news = async () => (await mailsTo(server, email)).filter(({ kind }) => kind === 'signed_in_new_device').length
    await signIn(email, firefox)
    expect(await news()).toBe(1)
    await signIn(email, firefox)
    expect(await news()).toBe(1)
  })
})
