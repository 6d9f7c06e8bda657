import { products } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { challengeOf, scan, turnOn } from '#testing/features/authenticator.ts'
import { linkTokenTo, makePerson, newEmail, password } from '#testing/features/person.ts'
import { openAuthorization, registerClient } from '#testing/mcp/consent.ts'
import { buy, makeBuyer } from '#testing/payments/buyer.ts'
import { sessionOf } from '#testing/session-of.ts'
import { startTestServer } from '#testing/start-server.ts'
import { call, type Sent } from './call.ts'
import { goodInput } from './good-input.ts'
import { type MountedRoute, mounted, mountedAs } from './mounted.ts'
import { makeOtherTenant } from './other-tenant.ts'
import { makeCaller } from './people.ts'

const server = await startTestServer({ worker: false, env: { TRUSTED_PROXIES: '127.0.0.1', PAYMENTS: 'simulated' } })

/** The message path: what is sent, received and planned has its own records. */
const messagePath = /^(?:alert|media|recipients|messages|campaigns|reminders|otp|chats|contacts|events)\./

const content = 'it is content that the assistant says, with times of its own'

/** Changes that leave no entry, each with the reason. */
const silent: Readonly<Record<string, string>> = {
  'auth.forgotPassword': 'it reads and changes no account',
  'auth.invitation': 'it is a read with a token',
  'auth.sendVerification': 'it changes nothing until the link is opened',
  'bots.ask': 'it reads, with a question that is too long for a query',
  'billing.portal': 'it opens a page of the provider, and changes nothing here',
  'billing.preview': 'it reads, with a plan that is too long for a query',
  'billing.refresh': 'it reads; what it finds is recorded when it is new',
  'payments.webhook': 'it causes a reading; what that finds is recorded when it is new',
  'numbers.release': 'nothing is held here, so nothing changes',
  'oauth.deny': 'it refuses a request that changes nothing',
  'webhook.replayDeliveries': 'it plans deliveries of events that are there',
  'webhook.test': 'it is an event, with deliveries of its own',
  'numbers.pair': 'the link that follows is in the history of the number',
  'numbers.start': 'it is in the history of the number',
  'bots.addAnswer': content,
  'bots.importAnswers': content,
  'bots.changeAnswer': content,
  'bots.removeAnswer': content,
  'bots.resolveReview': content,
  'bots.addProduct': content,
  'bots.importProducts': content,
  'bots.changeProduct': content,
  'bots.removeProduct': content,
}

/** Calls that need more than good input: what they send, made now. */
const inputs: Readonly<Record<string, () => Promise<Sent>>> = {
  async 'auth.signIn'() {
    const { email } = await makePerson(server)
    return { body: { email, password } }
  },
  async 'auth.switchOrganization'() {
    const { client, token, organizationId } = await makePerson(server)
    await client.organization.create({ name: 'Second' })
    return { body: { organizationId }, headers: bearer(token) }
  },
  async 'auth.join'() {
    const { token } = await invited(newEmail())
    return { body: { token, name: 'Max', password } }
  },
  async 'oauth.approve'() {
    const { token } = await makePerson(server)
    const { cookie, requestId } = await openAuthorization((await registerClient(server)).authorizeUrl())
    return { params: { requestId }, headers: { ...bearer(token), cookie } }
  },
  async 'auth.welcome'() {
    const { code } = await (await makePerson(server)).client.auth.consoleCode()
    return { body: { code } }
  },
  async 'bots.activate'() {
    const { apiKey, ids } = await makeOtherTenant(server)
    const [first] = (await server.client({ apiKey }).numbers.list()).sessions
    await server.client({ apiKey }).bots.update({ botId: ids.bot, containerIds: [first?.id ?? ''] })
    return { params: { botId: ids.bot }, headers: { 'x-api-key': apiKey } }
  },
  async 'bots.removeOrderPhone'() {
    const { apiKey, ids } = await makeOtherTenant(server)
    const phone = '+12025550177'
    await server.client({ apiKey }).bots.addOrderPhone({ botId: ids.bot, phone })
    return { params: { botId: ids.bot, phone }, headers: { 'x-api-key': apiKey } }
  },
  async 'organization.create'() {
    return { body: { name: 'Second' }, headers: bearer((await makePerson(server)).token) }
  },
  async 'organization.transfer'() {
    const { owner, token } = await invited(newEmail())
    const { user } = await sessionOf(server.client({}).auth.join({ token, name: 'Max', password }))
    return { body: { userId: user.id, password }, headers: bearer(owner.token) }
  },
  async 'organization.delete'() {
    const { client, token } = await makePerson(server)
    await client.organization.create({ name: 'Second' })
    return { body: { name: 'Ada Engines', password }, headers: bearer(token) }
  },
  async 'auth.deleteAccount'() {
    const { token } = await invited(newEmail())
    const member = await sessionOf(server.client({}).auth.join({ token, name: 'Max', password }))
    return { body: { password }, headers: bearer(member.token) }
  },
  async 'team.acceptInvitation'() {
    const ada = await makePerson(server)
    const { token } = await invited(ada.email)
    return { body: { token }, headers: bearer(ada.token) }
  },
  async 'team.leave'() {
    const ada = await makePerson(server)
    const { owner, token } = await invited(ada.email)
    await ada.client.team.acceptInvitation({ token })
    const { organizationId } = owner
    const session = await ada.client.auth.switchOrganization({ organizationId })
    return { headers: bearer(session.token) }
  },
  async 'auth.secondStep'() {
    const person = await makePerson(server)
    const { authenticator } = await turnOn(person.client)
    return { body: { challenge: await challengeOf(server.client({}), person), code: authenticator.code() } }
  },
  async 'auth.setUpTwoFactor'() {
    return { body: { password }, headers: bearer((await makePerson(server)).token) }
  },
  async 'auth.enableTwoFactor'() {
    const { client, token } = await makePerson(server)
    const { otpauthUrl } = await client.auth.setUpTwoFactor({ password })
    return { body: { code: scan(otpauthUrl).code() }, headers: bearer(token) }
  },
  async 'auth.disableTwoFactor'() {
    const { client, token } = await makePerson(server)
    const { authenticator } = await turnOn(client)
    return { body: { password, code: authenticator.code() }, headers: bearer(token) }
  },
  async 'auth.newRecoveryCodes'() {
    const { client, token } = await makePerson(server)
    const { authenticator } = await turnOn(client)
    return { body: { password, code: authenticator.code() }, headers: bearer(token) }
  },
  async 'auth.changePassword'() {
    const { token } = await makePerson(server)
    return { body: { currentPassword: password, newPassword: 'another long password' }, headers: bearer(token) }
  },
  async 'auth.resetPassword'() {
    const { email } = await makePerson(server)
    await server.client({}).auth.forgotPassword({ email })
    return { body: { token: await linkTokenTo(server, email, 'reset'), password: 'another long password' } }
  },
  async 'auth.verifyEmail'() {
    const { email } = await makePerson(server)
    return { body: { token: await linkTokenTo(server, email, 'verify') } }
  },
  async 'billing.checkout'() {
    return { headers: bearer((await makeBuyer(server)).token) }
  },
  async 'billing.setPlan'() {
    return { body: { products: ['notify'] }, headers: (await makePayer()).headers }
  },
  async 'billing.setExtraNumbers'() {
    return { headers: (await makePayer()).headers }
  },
  async 'billing.setPeriod'() {
    return { headers: (await makePayer()).headers }
  },
  async 'billing.cancel'() {
    return { headers: (await makePayer()).headers }
  },
  async 'billing.resume'() {
    const { buyer, headers } = await makePayer()
    await buyer.client.billing.cancel()
    return { headers }
  },
  async 'platform.refresh'() {
    const { buyer } = await makePayer()
    return { params: { organizationId: buyer.organizationId }, headers: staff }
  },
  async 'platform.activate'() {
    const input = await staffInput()
    await call(server, mountedAs('platform.deactivate'), { ...input, body: { reason: 'Test' } })
    return input
  },
  async 'numbers.setSendGroup'() {
    const { owner, ids } = await makeOtherTenant(server)
    return { body: { enabled: true, containerIds: [ids.number], mode: 'share' }, headers: owner }
  },
  async 'webhook.regenerateSecret'() {
    const { token, client } = await makePerson(server)
    await client.webhook.set({ webhookUrl: 'https://receiver.example/hook' })
    return { body: {}, headers: bearer(token) }
  },
  async 'account.generateKey'() {
    return { headers: bearer((await makePerson(server)).token) }
  },
  async 'numbers.generateKey'() {
    const { token, client } = await makePerson(server)
    const { session } = await client.numbers.create({ label: 'Own' })
    return { params: { containerId: session.id }, headers: bearer(token) }
  },
}

const staff = await makeCaller(server, { what: 'staff', given: products, staff: 'with two steps' }, 'owner')

/** What staff change: an organization on its trial, which pays nothing. */
async function staffInput(): Promise<Sent> {
  const { organizationId } = await makeBuyer(server)
  return { params: { organizationId }, headers: staff }
}

/** Makes an organization that pays for two products. */
async function makePayer() {
  const buyer = await makeBuyer(server)
  await buy(server, buyer, { products: ['notify', 'developer'] })
  return { buyer, headers: bearer(buyer.token) }
}

/** Invites an address to an organization of its own. */
async function invited(email: string) {
  const owner = await makePerson(server)
  await owner.client.team.invite({ email, role: 'member' })
  return { owner, token: await linkTokenTo(server, email, 'join') }
}

function bearer(token: string) {
  return { authorization: `Bearer ${token}` }
}

async function lastEntry(): Promise<number> {
  const [found] = await rows<{ id: number }>(server.db, 'select coalesce(max(id), 0) as id from activity_log')
  return found?.id ?? 0
}

async function inputOf(route: MountedRoute): Promise<Sent> {
  const own = inputs[route.name] ?? (route.route.access.platform ? staffInput : undefined)
  if (own) return { ...goodInput(route), ...(await own()) }
  const { owner, ids } = await makeOtherTenant(server)
  return { ...goodInput(route, ids), headers: owner }
}

const changing = mounted.filter(({ name, method }) => method !== 'GET' && !messagePath.test(name))
const recorded = changing.filter(({ name }) => silent[name] === undefined)

describe('every change outside of the message path', () => {
  it.each(recorded.map((route) => [route.name, route] as const))('%s is in the activity log', async (_name, route) => {
    const sent = await inputOf(route)
    const before = await lastEntry()
    const { status, error } = await call(server, route, sent)
    expect([status, error?.code, error?.message]).toEqual([route.route.status, undefined, undefined])
    const entries = await rows<{ action: string; actor: string; ip: string | null; request: string | null }>(
      server.db,
      'select action, actor_kind as actor, ip, request_id as request from activity_log where id > :before',
      { before },
    )
    expect(entries.length).toBeGreaterThan(0)
    for (const { action, actor, ip, request } of entries) {
      expect(action).toMatch(/^[a-z_]+\.[a-z_]+$/)
      // Its people read what the staff of the service did, and not who.
      if (actor === 'operator') expect([ip, request]).toEqual([null, null])
      else expect([ip, request]).toEqual([expect.stringMatching(/\d/), expect.stringMatching(/-/)])
    }
  })

  it('is one of these, or a named exception', () => {
    expect(recorded.length).toBeGreaterThan(20)
    const names = new Set<string>(changing.map(({ name }) => name))
    expect(Object.keys(silent).filter((name) => !names.has(name))).toEqual([])
  })
})
