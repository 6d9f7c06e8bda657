import { describe, expect, it } from 'vitest'
import { endSessions } from '#process/operator/people.ts'
import { turnOn } from '#testing/features/authenticator.ts'
import { linkTokenTo, makePerson, type Person, password } from '#testing/features/person.ts'
import { startTestServer } from '#testing/start-server.ts'
import { resetPassword } from './reset-password.ts'

const server = await startTestServer({ worker: false, env: { TRUSTED_PROXIES: '127.0.0.1' } })
const visitor = server.client({})
const newPassword = 'another long password'

/** What ends the access of a person. A code that was made before must not open the console afterwards. */
const changes: [what: string, change: (person: Person) => Promise<unknown>][] = [
  ['changes the password', ({ client }) => client.auth.changePassword({ currentPassword: password, newPassword })],
  [
    'resets the password by a link',
    async ({ email }) => {
      await visitor.auth.forgotPassword({ email })
      await visitor.auth.resetPassword({ token: await linkTokenTo(server, email, 'reset'), password: newPassword })
    },
  ],
  ['gets a new one from the operator', ({ email, organizationId }) => resetPassword(server.db, organizationId, email)],
  ['has all sessions ended by the operator', ({ email }) => endSessions(server.db, email)],
  ['turns two-step sign-in on', ({ client }) => turnOn(client)],
  ['ends the other sessions', ({ client }) => client.auth.endSessions()],
]

describe('a code that opens the console', () => {
  it.each(changes)('stops working when its person %s', async (_what, change) => {
    const person = await makePerson(server)
    const { code } = await person.client.auth.consoleCode()
    await change(person)
    await expect(visitor.auth.welcome({ code })).rejects.toMatchObject({ code: 'INVALID_LINK' })
  })
})
