import { setProtected } from '#people/organizations/deletion.ts'
import { rows } from '#platform/db/db.ts'
import { type Person, password } from '#testing/features/person.ts'
import type { TestClient } from '#testing/start-server.ts'
import {
  clientAt,
  enrol,
  forgetPassword,
  makeOwnerOfTwo,
  type PeopleWorld,
  type Situation,
  type SituationsOf,
  useCodeTries,
  usePasswordTries,
} from './situation.ts'

const code = '000000'

/** A call that asks for the password again, and for the code while two steps are on. */
interface Asking {
  /** Makes the person who calls. */
  readonly made: (world: PeopleWorld) => Promise<Person>
  readonly call: (client: TestClient, given: { password: string; code: string }) => Promise<unknown>
}

/** The situations of the password, which are the same wherever it is asked. */
function passwordOf({ made, call }: Asking) {
  return {
    WRONG_PASSWORD: [
      'the password is wrong',
      async (world: PeopleWorld) => call((await made(world)).client, { password: 'a wrong password', code }),
    ],
    NO_PASSWORD_SET: [
      'there is no password',
      async (world: PeopleWorld) => {
        const person = await made(world)
        await forgetPassword(world, person)
        await call(person.client, { password, code })
      },
    ],
    TOO_MANY_LOGIN_ATTEMPTS: [
      'ten wrong passwords',
      async (world: PeopleWorld) => {
        const person = await made(world)
        await usePasswordTries(world, person.email)
        await call(person.client, { password, code })
      },
    ],
  } as const satisfies Readonly<Record<string, Situation>>
}

/** The situations of password and code together. */
function bothStepsOf({ made, call }: Asking) {
  return {
    ...passwordOf({ made, call }),
    TWO_FACTOR_CODE_INVALID: [
      'the code is wrong',
      async (world: PeopleWorld) => call((await enrol(await made(world))).client, { password, code }),
    ],
    SECRETS_KEY_MISSING: [
      'the key of the secret is gone',
      async (world: PeopleWorld) => {
        const person = await enrol(await made(world))
        await call(clientAt(await world.otherKeys(), person), { password, code })
      },
    ],
  } as const satisfies Readonly<Record<string, Situation>>
}

const person = ({ makePerson }: PeopleWorld) => makePerson()
const enrolled = async ({ makePerson }: PeopleWorld) => enrol(await makePerson())

/** Two-step sign-in. */
export const twoFactor: SituationsOf<
  'auth',
  'twoFactor' | 'setUpTwoFactor' | 'enableTwoFactor' | 'disableTwoFactor' | 'newRecoveryCodes'
> = {
  twoFactor: {},
  setUpTwoFactor: {
    ...passwordOf({ made: person, call: (client, given) => client.auth.setUpTwoFactor({ password: given.password }) }),
    TWO_FACTOR_ALREADY_ENABLED: [
      'it is on',
      async (world) => (await enrolled(world)).client.auth.setUpTwoFactor({ password }),
    ],
    TWO_FACTOR_UNAVAILABLE: [
      'the server has no SECRETS_KEYS',
      async ({ makePerson, withoutKeys }) =>
        clientAt(await withoutKeys(), await makePerson()).auth.setUpTwoFactor({ password }),
    ],
  },
  enableTwoFactor: {
    TWO_FACTOR_SETUP_EXPIRED: [
      'nothing was set up',
      async ({ makePerson }) => (await makePerson()).client.auth.enableTwoFactor({ code }),
    ],
    TWO_FACTOR_ALREADY_ENABLED: [
      'it is on',
      async (world) => (await enrolled(world)).client.auth.enableTwoFactor({ code }),
    ],
    TWO_FACTOR_CODE_INVALID: [
      'the code is wrong',
      async ({ makePerson }) => {
        const { client } = await makePerson()
        await client.auth.setUpTwoFactor({ password })
        await client.auth.enableTwoFactor({ code })
      },
    ],
    TOO_MANY_LOGIN_ATTEMPTS: [
      'ten wrong codes',
      async (world) => {
        const { client, userId } = await world.makePerson()
        await client.auth.setUpTwoFactor({ password })
        await useCodeTries(world, userId)
        await client.auth.enableTwoFactor({ code })
      },
    ],
    SECRETS_KEY_MISSING: [
      'the key of the secret is gone',
      async (world) => {
        const made = await world.makePerson()
        await made.client.auth.setUpTwoFactor({ password })
        await clientAt(await world.otherKeys(), made).auth.enableTwoFactor({ code })
      },
    ],
  },
  disableTwoFactor: {
    ...bothStepsOf({ made: enrolled, call: (client, given) => client.auth.disableTwoFactor(given) }),
    ...ofTwoSteps((client, given) => client.auth.disableTwoFactor(given)),
  },
  newRecoveryCodes: {
    ...bothStepsOf({ made: enrolled, call: (client, given) => client.auth.newRecoveryCodes(given) }),
    ...ofTwoSteps((client, given) => client.auth.newRecoveryCodes(given)),
  },
}

/** The situations of calls that need two steps to be on. */
function ofTwoSteps(call: Asking['call']) {
  const calling = async (world: PeopleWorld) => call((await enrolled(world)).client, { password, code })
  return {
    TWO_FACTOR_NOT_ENABLED: [
      'it is off',
      async ({ makePerson }: PeopleWorld) => call((await makePerson()).client, { password, code }),
    ],
    TWO_FACTOR_CODE_INVALID: ['the code is wrong', calling],
    SECRETS_KEY_MISSING: [
      'the key of the secret is gone',
      async (world: PeopleWorld) => {
        const made = await enrolled(world)
        await call(clientAt(await world.otherKeys(), made), { password, code })
      },
    ],
  } as const satisfies Readonly<Record<string, Situation>>
}

/** The end of an account. */
export const leavingForGood: SituationsOf<'auth', 'deleteAccount'> = {
  deleteAccount: {
    ...bothStepsOf({
      made: async ({ makeOwner, joined }) => joined(await makeOwner()),
      call: (client, given) => client.auth.deleteAccount(given),
    }),
    OWNS_ORGANIZATION: [
      'the person owns one',
      async ({ makeOwner }) => (await makeOwner()).client.auth.deleteAccount({ password }),
    ],
  },
}

/** The organization of an owner: its settings, its transfer and its end. */
export const owning: SituationsOf<'organization', 'update' | 'transfer' | 'delete'> = {
  update: {
    NOT_OWNER: [
      'an admin requires two steps',
      async ({ makeOwner, joined }) =>
        (await joined(await makeOwner(), 'admin')).client.organization.update({ requireTwoFactor: true }),
    ],
    TWO_FACTOR_OWNER_FIRST: [
      'the owner has one step',
      async ({ makeOwner }) => (await makeOwner()).client.organization.update({ requireTwoFactor: true }),
    ],
    COUNTRY_LOCKED: [
      'it has paid in another country',
      async ({ server, makeOwner }) => {
        const { client, organizationId } = await makeOwner()
        await rows(
          server.db,
          `update organizations set country = 'US', country_locked_at = service_now() where id = :organizationId`,
          { organizationId },
        )
        return client.organization.update({ country: 'DE' })
      },
    ],
  },
  transfer: {
    ...bothStepsOf({
      made: ({ makeOwner }) => makeOwner(),
      call: (client, given) => client.organization.transfer({ userId: nobody, ...given }),
    }),
    ALREADY_OWNER: [
      'the owner transfers to themselves',
      async ({ makeOwner }) => {
        const { client, userId } = await makeOwner()
        await client.organization.transfer({ userId, password })
      },
    ],
    NOT_FOUND: [
      'the person is no member',
      async ({ makeOwner }) => (await makeOwner()).client.organization.transfer({ userId: nobody, password }),
    ],
    TOO_MANY_ORGANIZATIONS: [
      'the member owns ten',
      async ({ makeOwner, joined, server }) => {
        const owner = await makeOwner()
        const { userId } = await joined(owner)
        await rows(
          server.db,
          `with founded as (
             insert into organizations (id, name, created_at)
             select gen_random_uuid(), 'No ' || n, service_now() from generate_series(1, 10) n returning id)
           insert into members (organization_id, user_id, role, created_at)
           select id, :userId, 'owner', service_now() from founded`,
          { userId },
        )
        await owner.client.organization.transfer({ userId, password })
      },
    ],
    TWO_FACTOR_OWNER_FIRST: [
      'two steps are required, and the member has one',
      async ({ makeOwner, joined }) => {
        const owner = await makeOwner()
        const heir = await joined(owner)
        const { client, authenticator } = await enrol(owner)
        await client.organization.update({ requireTwoFactor: true })
        await client.organization.transfer({ userId: heir.userId, password, code: authenticator.code() })
      },
    ],
  },
  delete: {
    ...bothStepsOf({
      made: makeOwnerOfTwo,
      call: (client, given) => client.organization.delete({ name: 'Olga Engines', ...given }),
    }),
    ADMIN_CANNOT_DELETE: [
      'the operator protects it',
      async (world) => {
        const owner = await makeOwnerOfTwo(world)
        await setProtected(world.server.db, owner.organizationId, true)
        await owner.client.organization.delete({ name: 'Olga Engines', password })
      },
    ],
    LAST_ORGANIZATION: [
      'it is the only one, and the account stays',
      async ({ makeOwner }) => (await makeOwner()).client.organization.delete({ name: 'Olga Engines', password }),
    ],
    OWNS_ORGANIZATION: [
      'the account goes too, but owns another one',
      async (world) => {
        const { client } = await makeOwnerOfTwo(world)
        await client.organization.delete({ name: 'Olga Engines', password, deleteAccount: true })
      },
    ],
  },
}

const nobody = '0190b1a1-0c2d-7b3e-8f44-5a6b7c8da001'
