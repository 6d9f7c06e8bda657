import { newSecretsKeys } from '@msgctl/network/secrets'
import { beforeAll, describe, expect, it } from 'vitest'
import { type CrashPoint, peopleCrashPoints } from '#platform/crash-points.ts'
import { rows } from '#platform/db/db.ts'
import { startApiProcess } from '#testing/api-process.ts'
import { eventually } from '#testing/eventually.ts'
import { linkTokenTo, makePerson, newEmail, type Person, password } from '#testing/features/person.ts'
import { teamsOn } from '#testing/features/team.ts'
import { makeNumber } from '#testing/make.ts'
import { storedState } from '#testing/matrix/stored.ts'
import { startTestServer, type TestClient } from '#testing/start-server.ts'
import { buildServer, startWorkerProcess } from '#testing/worker-process.ts'
import { eraseDeleted } from '#upkeep/erasure/erase.ts'

const SECRETS_KEYS = newSecretsKeys()
const server = await startTestServer({ worker: false, env: { SECRETS_KEYS, TRUSTED_PROXIES: '127.0.0.1' } })
const { db } = server
const { makeOwner, invite, joined } = teamsOn(server)
beforeAll(buildServer, 120_000)

/** A change that is made through a process which dies in it. */
interface Change {
  /** Makes the call. */
  readonly call: (client: TestClient) => Promise<unknown>
  /** The session that makes it; none for a public route. */
  readonly token?: string
  /** Returns whether the whole change is there. */
  readonly isMade: () => Promise<boolean>
}

async function exists(sql: string, bindings: Record<string, unknown>): Promise<boolean> {
  return (await rows(db, `select 1 as found where exists (${sql})`, bindings)).length > 0
}

const mailed = (to: string, kind: string) =>
  exists('select from mails where to_email = :to and kind = :kind', { to, kind })
const logged = (action: string, organizationId: string) =>
  exists('select from activity_log where organization_id = :organizationId and action = :action', {
    action,
    organizationId,
  })
const isMember = (email: string, role: string, organizationId: string) =>
  exists(
    `select from members m join users u on u.id = m.user_id
      where u.email = :email and m.role = :role and m.organization_id = :organizationId`,
    { email, role, organizationId },
  )
const all = async (...checks: Promise<boolean>[]) => (await Promise.all(checks)).every(Boolean)

/** The changes by the first word of their crash points, made ready now. */
const changes: Readonly<Record<string, () => Promise<Change>>> = {
  async invite() {
    const { token, organizationId } = await makeOwner()
    const email = newEmail()
    return {
      token,
      call: (client) => client.team.invite({ email, role: 'member' }),
      isMade: () => all(mailed(email, 'invite'), logged('invitation.created', organizationId)),
    }
  },
  async join() {
    const owner = await makeOwner()
    const email = newEmail()
    const token = await invite(owner, email)
    const { organizationId } = owner
    return {
      call: (client) => client.auth.join({ token, name: 'Max', password }),
      isMade: () => all(isMember(email, 'member', organizationId), logged('member.joined', organizationId)),
    }
  },
  async reset() {
    const { email, organizationId, client } = await makePerson(server)
    await server.client({}).auth.forgotPassword({ email })
    const token = await linkTokenTo(server, email, 'reset')
    return {
      call: (visitor) => visitor.auth.resetPassword({ token, password: 'another long password' }),
      isMade: async () =>
        (await all(mailed(email, 'password_changed'), logged('password.reset', organizationId))) &&
        client.account.me().then(
          () => false,
          () => true,
        ),
    }
  },
  async transfer() {
    const owner = await makeOwner()
    const heir = await joined(owner)
    const { organizationId } = owner
    return {
      token: owner.token,
      call: (client) => client.organization.transfer({ userId: heir.userId, password }),
      isMade: () =>
        all(
          isMember(heir.email, 'owner', organizationId),
          isMember(owner.email, 'admin', organizationId),
          mailed(heir.email, 'owner_changed'),
        ),
    }
  },
  async 'organization-delete'() {
    const owner = await makeOwner()
    const { email, organizationId, token } = owner
    return {
      token,
      call: (client) => client.organization.delete({ name: 'Olga Engines', password, deleteAccount: true }),
      isMade: async () =>
        (await all(logged('organization.deleted', organizationId), mailed(email, 'organization_deleted'))) &&
        !(await exists('select from users where email = :email', { email })),
    }
  },
  async 'account-delete'() {
    const owner = await makeOwner()
    const { email, token } = await joined(owner)
    return {
      token,
      call: (client) => client.auth.deleteAccount({ password }),
      isMade: async () =>
        (await logged('account.deleted', owner.organizationId)) &&
        !(await exists('select from users where email = :email', { email })),
    }
  },
}

const isFull = process.env.CRASHES === 'full'
/** Assistants have crash points too, at which a test of their own dies. */
const points = (Object.keys(peopleCrashPoints) as CrashPoint[]).filter((point) => !point.startsWith('bot-'))
/** In `npm test` one of each kind; `npm run proof -- crashes` dies at all. */
const short: readonly CrashPoint[] = ['transfer.without-owner', 'join.committed']
const ofApi = points.filter((point) => !point.startsWith('erasure.') && (isFull || short.includes(point)))
const ofErasure = points.filter(
  (point) => point.startsWith('erasure.') && (isFull || point.endsWith('batch-committed')),
)

describe('kill -9 of an API in a change of people', () => {
  it.each(ofApi)(
    'at %s leaves all of it or nothing',
    async (point) => {
      const [kind = '', place] = point.split('.')
      const change = await changes[kind]?.()
      if (!change) throw new Error(`no change reaches ${point}`)
      const token = change.token === undefined ? {} : { token: change.token }
      const api = await startApiProcess(server.databaseUrl, { SECRETS_KEYS, CRASH_AT: `${point}:1` })
      // The use of a session is noted once a minute: not by the call that dies.
      if (change.token !== undefined) await server.client(token).account.me()
      const before = await storedState(db)
      const dying = server.client({ ...token, baseUrl: api.baseUrl })
      await expect(change.call(dying)).rejects.toMatchObject({ code: 'CONNECTION_FAILED' })
      await api.ended
      if (place === 'committed') {
        expect(await change.isMade()).toBe(true)
        return
      }
      // The database notices the lost connection by itself.
      await eventually(
        async () => Object.entries(await storedState(db)).filter(([table, state]) => state !== before[table]),
        (changed) => changed.length === 0,
      )
      expect(await change.isMade()).toBe(false)
      await change.call(server.client(token))
      expect(await change.isMade()).toBe(true)
    },
    60_000,
  )
})

/** Makes an organization with a number and messages that is due to be erased. */
async function dueOrganization(): Promise<Person> {
  const owner = await makeOwner()
  const { organizationId, userId: ownerId } = owner
  const { apiKey } = await owner.client.account.generateKey()
  await makeNumber(server, { organizationId, apiKey, ownerId })
  for (let n = 0; n < 3; n += 1) await owner.client.alert.send({ phone: '+12025550100', message: `text ${n}` })
  await owner.client.organization.delete({ name: 'Olga Engines', password, deleteAccount: true })
  await server.advance(7 * 86_400)
  return owner
}

describe('kill -9 of a worker that erases', () => {
  it.each(ofErasure)(
    'at %s is completed by the next run',
    async (point) => {
      const { organizationId } = await dueOrganization()
      const isErased = () => exists('select from erasures where organization_id = :organizationId', { organizationId })
      // The lock of a worker that died before ends only with the time of the machine.
      await rows(db, 'update agenda_jobs set locked_at = null')
      const dying = startWorkerProcess(server.databaseUrl, { SECRETS_KEYS, CRASH_AT: `${point}:1` })
      let isDead = false
      void dying.ended.then(() => {
        isDead = true
      })
      // A move of the clock makes the worker run its jobs at once.
      await eventually(
        () => server.advance(1).then(() => isDead),
        (dead) => dead,
      )
      expect(await isErased()).toBe(false)
      // What a dead process worked on is free when its lease of 20 s has ended.
      await server.advance(21)
      await eraseDeleted(server.services)
      expect(await isErased()).toBe(true)
      expect(await exists('select from organizations where id = :organizationId', { organizationId })).toBe(false)
    },
    90_000,
  )
})
