import { limits } from '@msgctl/contract'
import type { LimitName } from '#api/access/limit-key.ts'
import { rows } from '#platform/db/db.ts'
import { turnOn } from '#testing/features/authenticator.ts'
import { makeSender, newPhone, type Sender, withoutKeys } from '#testing/features/otp.ts'
import { mailsTo, makePerson, newEmail, type Person, password } from '#testing/features/person.ts'
import { useInvitations } from '#testing/features/team.ts'
import { type MadeOrganization, makeOrganization, makeToken } from '#testing/make.ts'
import {
  clientAt,
  codeOf,
  codeOfResponse,
  type LimitUse,
  type LimitWorld,
  newAddress,
  repeatRows,
} from './limit-use.ts'
import type { usesByAddress } from './uses-by-address.ts'
import type { usesByCredential } from './uses-by-credential.ts'

/** Makes the same call for two organizations or people. */
function ofTwo<T>(
  make: (world: LimitWorld) => Promise<T>,
  call: (one: T, world: LimitWorld) => Promise<string | undefined>,
  useUp?: (a: T, world: LimitWorld) => Promise<unknown>,
): LimitUse {
  return async (world) => {
    const [a, b] = [await make(world), await make(world)]
    return { a: () => call(a, world), b: () => call(b, world), ...(useUp && { useUp: () => useUp(a, world) }) }
  }
}

const granted = ({ server }: LimitWorld) => makeOrganization(server)
const person = ({ server }: LimitWorld) => makePerson(server, 'Ada', newEmail(), { 'x-forwarded-for': newAddress() })

/** Opens a stream, which stays open until the server stops. */
async function openStream({ apiKey }: MadeOrganization, { server }: LimitWorld, path: string) {
  const response = await fetch(`${server.baseUrl}${path}`, { headers: { 'x-api-key': apiKey } })
  return response.status === 200 ? undefined : codeOfResponse(Promise.resolve(response))
}

function streams(path: string): LimitUse {
  return ofTwo(
    granted,
    (organization, world) => openStream(organization, world, path),
    ({ organizationId }, world) => repeatRows(world, 'event_streams', organizationId),
  )
}

const otpOf = ({ server }: LimitWorld, sender: Sender) => withoutKeys(server, sender).otp

type OtherLimit = Exclude<LimitName, keyof typeof usesByAddress | keyof typeof usesByCredential>

/** Two callers of each limit of organizations, and of those of people and phones. */
export const usesByOrganization: Readonly<Record<OtherLimit, LimitUse>> = {
  changes: ofTwo(
    granted,
    (organization, { server }) => codeOf(server.client(organization).reminders.delete({ id: crypto.randomUUID() })),
    ({ organizationId }, { server }) =>
      rows(
        server.db,
        `update change_limits set tat = service_now() + interval '1 min' where organization_id = :organizationId`,
        { organizationId },
      ),
  ),
  'sent invitations': ofTwo(
    async ({ server }) => server.client({ token: await makeToken(server, await makeOrganization(server)) }),
    (client) => codeOf(client.team.invite({ email: newEmail(), role: 'member' })),
    async (client, { server }) => useInvitations(server.db, (await client.account.me()).organization.id),
  ),
  'event streams': streams('/events/stream'),
  'overview streams': streams('/overview/stream'),
  'refreshes of billing': ofTwo(
    async ({ server }) => server.client({ token: await makeToken(server, await makeOrganization(server)) }),
    (client) => codeOf(client.billing.refresh()),
  ),
  'one-time codes': ofTwo(
    ({ server }) => makeSender(server),
    (sender, world) => codeOf(otpOf(world, sender).send({ phone: newPhone() })),
    ({ organizationId }, world) => repeatRows(world, 'otp_requests', organizationId),
  ),
  'messages on trial': ofTwo(
    ({ server }) => makeSender(server, { granted: false }),
    (sender, { server }) => codeOf(withoutKeys(server, sender).alert.send({ phone: newPhone(), message: 'hello' })),
    ({ organizationId }, { server }) =>
      rows(server.db, 'update trial_usage set used = :used where organization_id = :organizationId', {
        organizationId,
        used: limits.trial.messagesPerDay,
      }),
  ),

  'wrong passwords': ofTwo(person, ({ email }, world) =>
    codeOf(clientAt(world).auth.signIn({ email, password: 'a wrong password' })),
  ),
  'wrong codes': ofTwo(
    async (world) => {
      const enrolled = await person(world)
      await turnOn(enrolled.client)
      return enrolled
    },
    ({ client }) => codeOf(client.auth.newRecoveryCodes({ password, code: '000000' })),
  ),
  // No response says that a mail was left out, so the mails are counted.
  'reset mails': ofTwo(person, async ({ email }: Person, world) => {
    const count = async () => (await mailsTo(world.server, email)).filter(({ kind }) => kind === 'reset').length
    const before = await count()
    await clientAt(world).auth.forgotPassword({ email })
    return (await count()) > before ? undefined : 'RATE_LIMIT'
  }),
  'verification mails': ofTwo(person, ({ client }) => codeOf(client.auth.sendVerification())),
  'one-time codes to a phone': async (world) => {
    const otp = otpOf(world, await makeSender(world.server))
    const [a, b] = [newPhone(), newPhone()]
    // The first code is all that a phone gets in 30 s.
    return { a: () => codeOf(otp.send({ phone: a })), b: () => codeOf(otp.send({ phone: b })), useUp: async () => {} }
  },
  'tries of a one-time code': async (world) => {
    const otp = otpOf(world, await makeSender(world.server))
    const [a, b] = [await otp.send({ phone: newPhone() }), await otp.send({ phone: newPhone() })]
    const wrong = ({ requestId }: typeof a) => codeOf(otp.verify({ requestId, code: '00000' }))
    return { a: () => wrong(a), b: () => wrong(b), useUp: async () => [await wrong(a), await wrong(a)] }
  },
}
