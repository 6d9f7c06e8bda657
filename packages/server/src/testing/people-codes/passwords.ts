import { newEmail, password } from '#testing/features/person.ts'
import { callBeyondLimit, forgetPassword, type SituationsOf, usePasswordTries } from './situation.ts'

const newPassword = 'another long password'

/** Passwords, and the links of mails. */
export const passwords: SituationsOf<
  'auth',
  'changePassword' | 'forgotPassword' | 'resetPassword' | 'sendVerification' | 'verifyEmail'
> = {
  changePassword: {
    WRONG_PASSWORD: [
      'the current one is wrong',
      async ({ makePerson }) =>
        (await makePerson()).client.auth.changePassword({ currentPassword: 'a wrong password', newPassword }),
    ],
    NO_PASSWORD_SET: [
      'there is none',
      async (world) => {
        const person = await world.makePerson()
        await forgetPassword(world, person)
        await person.client.auth.changePassword({ currentPassword: password, newPassword })
      },
    ],
    TOO_MANY_LOGIN_ATTEMPTS: [
      'ten wrong passwords',
      async (world) => {
        const { client, email } = await world.makePerson()
        await usePasswordTries(world, email)
        await client.auth.changePassword({ currentPassword: password, newPassword })
      },
    ],
  },
  forgotPassword: {
    RATE_LIMIT: [
      'an address asks too often',
      async (world) => {
        const visitor = world.visitor()
        await callBeyondLimit(world, () => visitor.auth.forgotPassword({ email: newEmail() }))
      },
    ],
  },
  resetPassword: {
    INVALID_LINK: [
      'the token is made up',
      ({ visitor }) => visitor().auth.resetPassword({ token: 'made-up', password: newPassword }),
    ],
    RATE_LIMIT: [
      'an address tries too many',
      async (world) => {
        const visitor = world.visitor()
        await callBeyondLimit(world, () => visitor.auth.resetPassword({ token: 'made-up', password: newPassword }))
      },
    ],
  },
  sendVerification: {
    RATE_LIMIT: [
      'a fourth mail in an hour',
      async ({ makePerson }) => {
        const { client } = await makePerson()
        for (let n = 0; n < 3; n += 1) await client.auth.sendVerification()
      },
    ],
  },
  verifyEmail: {
    INVALID_LINK: ['the token is made up', ({ visitor }) => visitor().auth.verifyEmail({ token: 'made-up' })],
    RATE_LIMIT: [
      'an address tries too many',
      async (world) => {
        const visitor = world.visitor()
        await callBeyondLimit(world, () => visitor.auth.verifyEmail({ token: 'made-up' }))
      },
    ],
  },
}
