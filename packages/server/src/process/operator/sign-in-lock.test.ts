import { expect, it } from 'vitest'
import { comparePassword } from '#people/auth/attempts.ts'
import { rows } from '#platform/db/db.ts'
import { makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { showPerson, unlockSignIn } from './people.ts'
import { personText } from './print-people.ts'

const server = await startTestServer({ worker: false })
const { db } = server

async function makePerson(): Promise<string> {
  const { ownerId } = await makeOrganization(server)
  const [owner = expect.fail()] = await rows<{ email: string }>(db, 'select email from users where id = :ownerId', {
    ownerId,
  })
  return owner.email
}

it('the operator sees that wrong passwords lock a sign-in, and ends the lock', async () => {
  const email = await makePerson()
  const wrong = () => comparePassword(db, email, async () => undefined)
  for (let tries = 0; tries < 9; tries += 1) await wrong()
  expect((await showPerson(db, email)).signInLockedUntil).toBeNull()
  expect(personText(await showPerson(db, email))).toMatch(/^Sign-in +open$/m)
  await expect(unlockSignIn(db, email)).rejects.toThrow(`The sign-in of ${email} is not locked.`)

  await wrong()
  await expect(wrong()).rejects.toMatchObject({ code: 'TOO_MANY_LOGIN_ATTEMPTS' })
  const shown = await showPerson(db, email)
  expect(personText(shown)).toMatch(
    new RegExp(`^Sign-in +locked by wrong passwords until ${shown.signInLockedUntil?.toISOString()}$`, 'm'),
  )
  expect(await unlockSignIn(db, email)).toEqual({ email, lockedUntil: shown.signInLockedUntil })
  await wrong()
  expect((await showPerson(db, email)).signInLockedUntil).toBeNull()
})

it('a lock is over by itself after its time', async () => {
  const email = await makePerson()
  for (let tries = 0; tries < 10; tries += 1) await comparePassword(db, email, async () => undefined)
  expect((await showPerson(db, email)).signInLockedUntil).toEqual(expect.any(Date))
  await server.advance(901)
  expect((await showPerson(db, email)).signInLockedUntil).toBeNull()
})
