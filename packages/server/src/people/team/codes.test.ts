import { contract, errors, type Route, splitEndpoint } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { newEmail, password } from '#testing/features/person.ts'
import { founding, secondStep, signingIn } from '#testing/people-codes/accounts.ts'
import { leavingForGood, owning, twoFactor } from '#testing/people-codes/confirmed.ts'
import { deadInvitations } from '#testing/people-codes/dead-invitations.ts'
import { receiving, team } from '#testing/people-codes/joining.ts'
import { passwords } from '#testing/people-codes/passwords.ts'
import { enrol, type Situation, type SituationsOf, startPeopleWorld } from '#testing/people-codes/situation.ts'
import { sessionOf } from '#testing/session-of.ts'

const world = await startPeopleWorld()
const { server, refusals, visitor, makeOwner, invite, joined, verified } = world

/** Every code of every route of people and organizations, each in its one situation. */
const table = {
  auth: {
    ...signingIn,
    ...passwords,
    ...receiving,
    ...secondStep,
    ...twoFactor,
    ...leavingForGood,
  } satisfies SituationsOf<'auth', keyof typeof contract.auth>,
  organization: { ...founding, ...owning } satisfies SituationsOf<'organization', keyof typeof contract.organization>,
  team: team satisfies SituationsOf<'team', keyof typeof contract.team>,
}

interface Row {
  readonly route: Route
  readonly code: keyof typeof errors
  readonly situation: Situation
}

const rowsOfTable: Row[] = Object.entries(table).flatMap(([group, named]) =>
  Object.entries(named as Record<string, Record<string, Situation>>).flatMap(([name, situations]) =>
    Object.entries(situations).map(([code, situation]) => ({
      route: (contract as unknown as Record<string, Record<string, Route>>)[group]?.[name] as Route,
      code: code as Row['code'],
      situation,
    })),
  ),
)

const pairOf = (route: Route, code: string) => `${route.endpoint} ${code}`

/** Matches the calls of a route, whatever their ids are. */
function isCallOf(route: Route, call: string): boolean {
  const { method, path } = splitEndpoint(route.endpoint)
  return new RegExp(`^${method} ${path.replace(/:\w+/g, '[^/]+')}$`).test(call)
}

describe('each code of each route of people has its one situation', () => {
  it('and the table names exactly the codes that the contract lists', () => {
    const listed = [contract.auth, contract.organization, contract.team].flatMap((routes) =>
      Object.values<Route>(routes).flatMap((route) => route.errors.map((code) => pairOf(route, code))),
    )
    expect(rowsOfTable.map(({ route, code }) => pairOf(route, code)).sort()).toEqual([...new Set(listed)].sort())
    expect(listed.length).toBeGreaterThan(100)
  })

  it.each(rowsOfTable.map((row) => [pairOf(row.route, row.code), row.situation[0], row] as const))(
    '%s: %s',
    async (_pair, _words, { route, code, situation: [, call] }) => {
      await expect(call(world)).rejects.toMatchObject({ code })
      const refused = refusals.at(-1)
      expect(isCallOf(route, refused?.call ?? ''), refused?.call).toBe(true)
      expect(refused).toMatchObject({ status: errors[code].status, error: { code } })
      errors[code].details?.parse(refused?.error.details)
    },
  )
})

describe('an invitation that does not work', () => {
  it.each(deadInvitations)(
    'because it is %s gets INVITE_INVALID in one wording, wherever it is used',
    async (_, make) => {
      const token = await make(world)
      const before = refusals.length
      const { client } = await world.makePerson()
      await Promise.allSettled([
        visitor().auth.invitation({ token }),
        visitor().auth.join({ token, password, name: 'Max' }),
        client.team.acceptInvitation({ token }),
      ])
      const wordings = refusals.slice(before).map(({ error }) => `${error.code}: ${error.message}`)
      expect(wordings).toHaveLength(3)
      expect(new Set(wordings)).toEqual(
        new Set(['INVITE_INVALID: This invitation has expired, was cancelled or was used. Request a new one.']),
      )
    },
  )
})

/** Roles and former members, which the gates of the contract do not know. */
const further: [code: string, situation: string, call: () => Promise<unknown>][] = [
  [
    'ROLE_FORBIDDEN',
    'a member invites',
    async () => (await joined(await makeOwner())).client.team.invite({ email: newEmail(), role: 'member' }),
  ],
  [
    'NOT_OWNER',
    'an admin changes a role',
    async () => {
      const admin = await joined(await makeOwner(), 'admin')
      await admin.client.team.changeRole({ userId: admin.userId, role: 'member' })
    },
  ],
  [
    'AUTH_ERROR',
    'a removed member calls',
    async () => {
      const owner = await makeOwner()
      const member = await joined(owner)
      await owner.client.team.remove({ userId: member.userId })
      await member.client.account.me()
    },
  ],
  [
    'AUTH_ERROR',
    'a sign-in to an organization of others',
    async () => {
      const { organizationId } = await makeOwner()
      const { email } = await world.makePerson()
      await visitor().auth.signIn({ email, password, organizationId })
    },
  ],
  [
    'TWO_FACTOR_CODE_INVALID',
    'a transfer without the code',
    async () => {
      const owner = await enrol(await makeOwner())
      await owner.client.organization.transfer({ userId: (await joined(owner)).userId, password })
    },
  ],
]

describe('a call of a person', () => {
  it.each(further)('is refused with %s when %s', async (code, _situation, call) => {
    await expect(call()).rejects.toMatchObject({ code })
  })

  it('leaves one of two organizations', async () => {
    const [owner, ada] = [await makeOwner(), await verified()]
    await ada.client.team.acceptInvitation({ token: await invite(owner, ada.email) })
    const session = await sessionOf(ada.client.auth.switchOrganization({ organizationId: owner.organizationId }))
    await server.client({ token: session.token }).team.leave()
    expect((await owner.client.team.list()).members).toHaveLength(1)
  })
})
