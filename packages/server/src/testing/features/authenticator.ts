import { generateSync } from 'otplib'
import { sessionOf } from '#testing/session-of.ts'
import type { TestClient, TestServer } from '#testing/start-server.ts'
import { type Person, password } from './person.ts'

/** A phone with an authenticator, whose library is another one than that of the service. */
export interface Authenticator {
  /** The name that it shows above the code. */
  readonly label: string
  /** Returns the code that the phone shows, `off` steps from now. */
  code(off?: number): string
  /** Returns the code of a moment in milliseconds since 1970. */
  codeAt(timeMs: number): string
}

/** Reads the URL of a set-up into an authenticator. */
export function scan(text: string): Authenticator {
  const url = new URL(text)
  const given = Object.fromEntries(url.searchParams)
  if (url.protocol !== 'otpauth:' || url.host !== 'totp')
    throw new Error('the URL is for another kind of authenticator')
  const { secret = '', algorithm, digits, period } = given
  if ([algorithm, digits, period].join() !== 'SHA1,6,30') throw new Error('few authenticators know these settings')
  const codeAt = (timeMs: number) => generateSync({ secret, epoch: Math.floor(timeMs / 1000) })
  return {
    label: decodeURIComponent(url.pathname.slice(1)),
    codeAt,
    code: (off = 0) => codeAt(Date.now() + off * 30_000),
  }
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
