import { TOTP, URI } from 'otpauth'
import { sessionOf } from '#testing/session-of.ts'
import type { TestClient, TestServer } from '#testing/start-server.ts'
import { type Person, password } from './person.ts'

/** A phone with an authenticator, which is an independent library. */
export interface Authenticator {
  /** Returns the code that the phone shows, `off` steps from now. */
  code(off?: number): string
}

/** Reads the URL of a set-up into an authenticator. */
export function scan(url: string): Authenticator {
  const totp = URI.parse(url)
  if (!(totp instanceof TOTP)) throw new Error('the URL is for another kind of authenticator')
  return { code: (off = 0) => totp.generate({ timestamp: Date.now() + off * 30_000 }) }
}

/**
 * Turns two-step sign-in on for a person with the code of the step before the present one, so that the present and the
 * next code are left for the test.
 */
export async function turnOn(client: TestClient): Promise<{ authenticator: Authenticator; recoveryCodes: string[] }> {
  const { otpauthUrl } = await client.auth.setUpTwoFactor({ password })
  const authenticator = scan(otpauthUrl)
  const enable = () => client.auth.enableTwoFactor({ code: authenticator.code(-1) })
  // A step may end between the phone and the service.
  const { recoveryCodes } = await enable().catch(enable)
  return { authenticator, recoveryCodes }
}

/** Gives the password of a person with two-step sign-in, and returns the challenge. */
export async function challengeOf(visitor: TestClient, { email }: Pick<Person, 'email'>): Promise<string> {
  const answer = await visitor.auth.signIn({ email, password })
  if (!answer.twoFactorRequired) throw new Error('the sign-in took one step')
  return answer.challenge
}

/** Signs a person in with both steps. */
export async function signInWith(server: TestServer, visitor: TestClient, person: Person, code: string) {
  const challenge = await challengeOf(visitor, person)
  const session = await sessionOf(visitor.auth.secondStep({ challenge, code }))
  return server.client({ token: session.token })
}
