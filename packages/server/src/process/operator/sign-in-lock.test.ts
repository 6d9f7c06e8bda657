import { expect, it } from 'vitest'
import { comparePassword } from '#people/auth/attempts.ts'
import { attemptSecondStep } from '#people/auth/two-factor/second-step.ts'
import { rows } from '#platform/db/db.ts'
import { makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { showPerson, unlockSignIn } from './people.ts'
import { personText } from './person-commands.ts'

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

it('the operator sees that wrong codes lock the second step, and ends both locks', async () => {
  const email = await makePerson()
  const { id } = await showPerson(db, email)
  const wrong = () => attemptSecondStep({ db }, id, async () => false)
  for (let tries = 0; tries < 9; tries += 1) await expect(wrong()).rejects.toThrow()
  expect(personText(await showPerson(db, email))).toMatch(/^Sign-in +open$/m)
  await expect(unlockSignIn(db, email)).rejects.toThrow(`The sign-in of ${email} is not locked.`)

  await expect(wrong()).rejects.toMatchObject({ code: 'TWO_FACTOR_CODE_INVALID' })
  await expect(wrong()).rejects.toMatchObject({ code: 'TOO_MANY_LOGIN_ATTEMPTS' })
  const shown = await showPerson(db, email)
  expect(shown).toMatchObject({ signInLockedUntil: null, secondStepLockedUntil: expect.any(Date) })
  const codes = `locked by wrong codes until ${shown.secondStepLockedUntil?.toISOString()}`
  expect(personText(shown)).toMatch(new RegExp(`^Sign-in +${codes}$`, 'm'))

  await server.advance(60)
  for (let tries = 0; tries < 10; tries += 1) await comparePassword(db, email, async () => undefined)
  const both = await showPerson(db, email)
  const passwords = `locked by wrong passwords until ${both.signInLockedUntil?.toISOString()}`
  expect(personText(both)).toMatch(new RegExp(`^Sign-in +${passwords}, ${codes}$`, 'm'))
  expect(await unlockSignIn(db, email)).toEqual({ email, lockedUntil: both.signInLockedUntil })
  expect(await showPerson(db, email)).toMatchObject({ signInLockedUntil: null, secondStepLockedUntil: null })
  await expect(wrong()).rejects.toMatchObject({ code: 'TWO_FACTOR_CODE_INVALID' })

  for (let tries = 0; tries < 9; tries += 1) await expect(wrong()).rejects.toThrow()
  expect(await unlockSignIn(db, email)).toMatchObject({ email, lockedUntil: expect.any(Date) })
  await expect(wrong()).rejects.toMatchObject({ code: 'TWO_FACTOR_CODE_INVALID' })
})

it('a lock is over by itself after its time', async () => {
  const email = await makePerson()
  for (let tries = 0; tries < 10; tries += 1) await comparePassword(db, email, async () => undefined)
  expect((await showPerson(db, email)).signInLockedUntil).toEqual(expect.any(Date))
  await server.advance(901)
  expect((await showPerson(db, email)).signInLockedUntil).toBeNull()
})
