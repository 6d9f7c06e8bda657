import { expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { newEmail, password } from '#testing/features/person.ts'
import { teamsOn, useInvitations } from '#testing/features/team.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({
  worker: false,
  env: { UNSAFE_DISABLE_RATE_LIMIT: 'true', TRUSTED_PROXIES: '127.0.0.1' },
})
const { makeOwner, joined } = teamsOn(server)

it('an organization sends 100 invitations in a sliding hour, resent ones included', async () => {
  const { client } = await makeOwner()
  await client.team.invite({ email: newEmail(), role: 'member' })
  /** Resends the open invitation `times` times. Returns how many were sent. */
  async function resend(times: number): Promise<number> {
    let sent = 0
    for (let n = 0; n < times; n += 1) {
      const [open] = (await client.team.list()).invitations
      const resent = client.team.resendInvitation({ invitationId: open?.id ?? '' })
      sent += await resent.then(
        () => 1,
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'RATE_LIMIT', details: { retryAfterSeconds: expect.any(Number) } })
          return 0
        },
      )
    }
    return sent
  }
  expect(await resend(59)).toBe(59)
  await server.advance(31 * 60)
  expect(await resend(45)).toBe(40)
  await server.advance(30 * 60)
  expect(await resend(70)).toBe(60)
})

it('the invitations of people who were deleted since count, without their addresses', async () => {
  const owner = await makeOwner()
  const admin = await joined(owner, 'admin')
  const invited = await joined(owner)
  await server.advance(61 * 60)
  await admin.client.team.invite({ email: newEmail(), role: 'member' })
  await useInvitations(server.db, owner.organizationId)
  for (const { client } of [admin, invited]) await client.auth.deleteAccount({ password })
  const another = owner.client.team.invite({ email: newEmail(), role: 'member' })
  await expect(another).rejects.toMatchObject({ code: 'RATE_LIMIT' })
  const left = await rows(server.db, 'select 1 from invitations where lower(email) = any(:emails)', {
    emails: [admin.email, invited.email],
  })
  expect(left).toEqual([])
})
