import { limits } from '@msgctl/contract'
import { rows } from '#platform/db/db.ts'
import { challengeOf } from '#testing/features/authenticator.ts'
import { newEmail, type Person, password } from '#testing/features/person.ts'
import { completing } from './half-joined.ts'
import {
  callBeyondLimit,
  clientAt,
  deactivate,
  enrol,
  type PeopleWorld,
  type SituationsOf,
  usePasswordTries,
} from './situation.ts'

const unknownId = '0190b1a1-0c2d-7b3e-8f44-5a6b7c8da001'
const signUpOf = (email: string, given = password) => ({
  name: 'Max',
  email,
  password: given,
  organizationName: 'Third',
})

/** A member with two-step sign-in who was removed from the only organization. */
async function removed(world: PeopleWorld): Promise<Person> {
  const owner = await world.makeOwner()
  const member = await enrol(await world.joined(owner))
  await owner.client.team.remove({ userId: member.userId })
  return member
}

/** Sign-up, sign-in and sessions. */
export const signingIn: SituationsOf<
  'auth',
  | 'signUp'
  | 'signIn'
  | 'signOut'
  | 'consoleCode'
  | 'welcome'
  | 'switchOrganization'
  | 'sessions'
  | 'endSession'
  | 'endSessions'
> = {
  signUp: {
    SIGNUP_DISABLED: [
      'the service is closed',
      async ({ closed }) => (await closed()).client({}).auth.signUp(signUpOf(newEmail())),
    ],
    CONFLICT: [
      'the address has an organization',
      async ({ makePerson, visitor }) => visitor().auth.signUp(signUpOf((await makePerson()).email)),
    ],
    RATE_LIMIT: [
      'an address signs up too often',
      async ({ slow }) => {
        const visitor = (await slow()).client({})
        await visitor.auth.signUp(signUpOf(newEmail()))
        await visitor.auth.signUp(signUpOf(newEmail()))
      },
    ],
    TOO_MANY_LOGIN_ATTEMPTS: [
      'ten wrong passwords of a person without an organization',
      async (world) => {
        const { email } = await removed(world)
        await usePasswordTries(world, email)
        await world.visitor().auth.signUp(signUpOf(email))
      },
    ],
    TWO_FACTOR_CODE_INVALID: [
      'a person without an organization leaves the code out',
      async (world) => world.visitor().auth.signUp(signUpOf((await removed(world)).email)),
    ],
    SECRETS_KEY_MISSING: [
      'the key of the secret is gone',
      async (world) => {
        const { email } = await removed(world)
        await (await world.otherKeys()).client({}).auth.signUp({ ...signUpOf(email), code: '000000' })
      },
    ],
  },
  signIn: {
    AUTH_ERROR: [
      'the password is wrong',
      async ({ makePerson, visitor }) =>
        visitor().auth.signIn({ email: (await makePerson()).email, password: 'a wrong password' }),
    ],
    ACCOUNT_DEACTIVATED: [
      'the only organization is deactivated, and the password right',
      async (world) => {
        const { email, organizationId } = await world.makePerson()
        await deactivate(world, organizationId)
        await world.visitor().auth.signIn({ email, password })
      },
    ],
    RATE_LIMIT: [
      'an address signs in too often',
      async (world) => {
        const visitor = world.visitor()
        await callBeyondLimit(world, () => visitor.auth.signIn({ email: newEmail(), password }))
      },
    ],
    TOO_MANY_LOGIN_ATTEMPTS: [
      'ten wrong passwords',
      async (world) => {
        const { email } = await world.makePerson()
        await usePasswordTries(world, email)
        await world.visitor().auth.signIn({ email, password })
      },
    ],
  },
  signOut: {},
  consoleCode: {},
  welcome: {
    INVALID_LINK: ['the code is made up', ({ visitor }) => visitor().auth.welcome({ code: 'made-up' })],
    ACCOUNT_DEACTIVATED: [
      'the organization was deactivated since',
      async (world) => {
        const { client, organizationId } = await world.makePerson()
        const { code } = await client.auth.consoleCode()
        await deactivate(world, organizationId)
        await world.visitor().auth.welcome({ code })
      },
    ],
    RATE_LIMIT: [
      'an address tries too many',
      async (world) => {
        const visitor = world.visitor()
        await callBeyondLimit(world, () => visitor.auth.welcome({ code: 'made-up' }))
      },
    ],
  },
  switchOrganization: {
    NOT_FOUND: [
      'it is an organization of others',
      async ({ makeOwner, makePerson }) => {
        const { organizationId } = await makeOwner()
        await (await makePerson()).client.auth.switchOrganization({ organizationId })
      },
    ],
  },
  sessions: {},
  endSession: {
    NOT_FOUND: [
      'it is a session of another person',
      async ({ makePerson }) => {
        const [other] = (await (await makePerson()).client.auth.sessions()).sessions
        await (await makePerson()).client.auth.endSession({ sessionId: other?.id ?? unknownId })
      },
    ],
  },
  endSessions: {},
}

/** Organizations that a person founds. */
export const founding: SituationsOf<'organization', 'list' | 'create' | 'get'> = {
  list: {},
  create: {
    TOO_MANY_ORGANIZATIONS: [
      'it would be the eleventh',
      async ({ makePerson, server }) => {
        const { client, userId } = await makePerson()
        await rows(
          server.db,
          `with founded as (
             insert into organizations (id, name, created_at)
             select gen_random_uuid(), 'No ' || n, service_now() from generate_series(2, :limit::int) n returning id)
           insert into members (organization_id, user_id, role, created_at)
           select id, :userId, 'owner', service_now() from founded`,
          { userId, limit: limits.ownedOrganizations },
        )
        await client.organization.create({ name: 'One more' })
      },
    ],
    SIGNUP_DISABLED: [
      'the service is closed',
      async ({ makePerson, closed }) => {
        const person = await makePerson()
        await clientAt(await closed(), person).organization.create({ name: 'Second' })
      },
    ],
  },
  get: {},
}

/** The second step of a sign-in. */
export const secondStep: SituationsOf<'auth', 'secondStep'> = {
  secondStep: {
    ...completing,
    TWO_FACTOR_CODE_INVALID: [
      'the code is wrong',
      async ({ makePerson, visitor }) => {
        const challenge = await challengeOf(visitor(), await enrol(await makePerson()))
        await visitor().auth.secondStep({ challenge, code: '000000' })
      },
    ],
    TOO_MANY_LOGIN_ATTEMPTS: [
      'ten wrong codes, whatever challenge they came from',
      async (world) => {
        const person = await enrol(await world.makePerson())
        const challenge = await challengeOf(world.visitor(), person)
        await rows(
          world.server.db,
          `insert into attempt_windows (bucket, attempts, ends_at)
           values ('wrong codes of ' || :userId, 10, service_now() + interval '15 min')`,
          { userId: person.userId },
        )
        await world.visitor().auth.secondStep({ challenge, code: person.authenticator.code() })
      },
    ],
    TWO_FACTOR_CHALLENGE_EXPIRED: [
      'the challenge is made up',
      ({ visitor }) => visitor().auth.secondStep({ challenge: 'made-up', code: '000000' }),
    ],
    ACCOUNT_DEACTIVATED: [
      'the organization was deactivated between the steps',
      async (world) => {
        const person = await enrol(await world.makePerson())
        const challenge = await challengeOf(world.visitor(), person)
        await deactivate(world, person.organizationId)
        await world.visitor().auth.secondStep({ challenge, code: person.authenticator.code() })
      },
    ],
    SECRETS_KEY_MISSING: [
      'the key of the secret is gone',
      async (world) => {
        const person = await enrol(await world.makePerson())
        const challenge = await challengeOf(world.visitor(), person)
        await (await world.otherKeys()).client({}).auth.secondStep({ challenge, code: '000000' })
      },
    ],
    RATE_LIMIT: [
      'an address tries too many',
      async (world) => {
        const visitor = world.visitor()
        await callBeyondLimit(world, () => visitor.auth.secondStep({ challenge: 'made-up', code: '000000' }))
      },
    ],
  },
}
