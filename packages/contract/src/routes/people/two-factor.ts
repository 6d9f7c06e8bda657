import * as z from 'zod'
import * as cast from '../../examples/cast.ts'
import * as example from '../../examples/people.ts'
import { ok } from '../../model/envelope.ts'
import { at, atOrNull, count, text } from '../../model/fields.ts'
import { limits } from '../../model/limits.ts'
import { password } from '../../model/person-fields.ts'
import { recoveryCode, session, twoFactorCode } from '../../model/sign-in.ts'
import { route } from '../../route.ts'

const own = { keys: 'none', withoutTwoFactor: true } as const
const ownPassword = password.describe('Your password.')
const oneOfBoth = { code: twoFactorCode.optional(), recoveryCode: recoveryCode.optional() }
const exactlyOne = (given: { code?: string | undefined; recoveryCode?: string | undefined }) =>
  (given.code === undefined) !== (given.recoveryCode === undefined)
const needsOne = { error: 'must be given, or recoveryCode', path: ['code'] }
const codes = {
  recoveryCodes: z
    .array(z.string())
    .describe('Ten codes for the case that the authenticator is lost. Each works once.'),
  warning: z.string().describe('What to do with the codes, in words.'),
}
const wrongCode = ['TWO_FACTOR_CODE_INVALID', 'TOO_MANY_LOGIN_ATTEMPTS'] as const

/** Two-step sign-in with an authenticator (TOTP). */
export const twoFactorRoutes = {
  /**
   * Completes a sign-in with the code of the authenticator or a recovery code. A wrong one fails with
   * TWO_FACTOR_CODE_INVALID; after 5, or after 5 minutes, the challenge fails with TWO_FACTOR_CHALLENGE_EXPIRED. 10
   * wrong codes in 15 minutes lock the second step of the person with TOO_MANY_LOGIN_ATTEMPTS. The challenge of an
   * invitation also joins the organization, and fails with INVITE_INVALID once the invitation is no longer open.
   */
  secondStep: route('POST /auth/two-factor', {
    summary: 'Complete a sign-in with two steps',
    access: { keys: 'public' },
    body: z
      .object({ challenge: text(1, limits.linkToken).describe('The challenge of the sign-in.'), ...oneOfBoth })
      .refine(exactlyOne, needsOne),
    response: session,
    errors: [
      ...wrongCode,
      'TWO_FACTOR_CHALLENGE_EXPIRED',
      'ACCOUNT_DEACTIVATED',
      'SECRETS_KEY_MISSING',
      'INVITE_INVALID',
      'ALREADY_MEMBER',
      'TEAM_FULL',
      'RATE_LIMIT',
    ],
    secret: true,
    example: {
      input: { challenge: example.challenge, code: example.authenticatorCode },
      output: { ...example.session(example.ownOrganization, 'owner'), recoveryCodesLeft: 10 },
    },
  }),

  /** Returns whether you sign in with two steps, and which of your organizations require it. */
  twoFactor: route('GET /auth/two-factor', {
    summary: 'Get the state of two-step sign-in',
    access: own,
    response: ok({
      enabled: z.boolean().describe('Whether two-step sign-in is on.'),
      enabledAt: atOrNull('When it was turned on.'),
      recoveryCodesLeft: count('Recovery codes that are left.'),
      requiredBy: z.array(z.string()).describe('Names of your organizations that require it.'),
    }),
    example: {
      output: { enabled: true, enabledAt: example.at, recoveryCodesLeft: 10, requiredBy: [cast.organization.name] },
    },
  }),

  /**
   * Creates the secret for an authenticator, which POST /auth/two-factor/enable confirms within 10 minutes. A second
   * call replaces it. Fails with TWO_FACTOR_UNAVAILABLE on a server without SECRETS_KEYS.
   */
  setUpTwoFactor: route('POST /auth/two-factor/setup', {
    summary: 'Set up two-step sign-in',
    access: own,
    body: z.object({ password: ownPassword }),
    status: 201,
    response: ok({
      secret: z.string().describe('The secret in base32, to type into the authenticator.'),
      otpauthUrl: z.string().describe('The same as a URL that authenticators read.'),
      image: z.string().describe('The URL as a QR code: a PNG as data URL.'),
      expiresAt: at('When the set-up expires.'),
    }),
    errors: [
      'TWO_FACTOR_ALREADY_ENABLED',
      'TWO_FACTOR_UNAVAILABLE',
      'WRONG_PASSWORD',
      'NO_PASSWORD_SET',
      'TOO_MANY_LOGIN_ATTEMPTS',
    ],
    secret: true,
    example: {
      input: { password: cast.owner.password },
      output: {
        secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
        otpauthUrl: 'otpauth://totp/Msgctl:jane%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Msgctl',
        image: 'data:image/png;base64,iVBORw0KGgo=',
        expiresAt: example.at,
      },
    },
  }),

  /**
   * Turns two-step sign-in on with a code of the authenticator that was set up. All other sessions and your AI
   * connections end. Returns ten recovery codes, which are shown only once.
   */
  enableTwoFactor: route('POST /auth/two-factor/enable', {
    summary: 'Turn two-step sign-in on',
    access: own,
    body: z.object({ code: twoFactorCode }),
    response: ok(codes),
    errors: ['TWO_FACTOR_SETUP_EXPIRED', 'TWO_FACTOR_ALREADY_ENABLED', ...wrongCode, 'SECRETS_KEY_MISSING'],
    secret: true,
    example: { input: { code: example.authenticatorCode }, output: example.recoveryCodes },
  }),

  /** Turns two-step sign-in off. Fails with TWO_FACTOR_REQUIRED while one of your organizations requires it. */
  disableTwoFactor: route('POST /auth/two-factor/disable', {
    summary: 'Turn two-step sign-in off',
    access: { keys: 'none' },
    body: z.object({ password: ownPassword, ...oneOfBoth }).refine(exactlyOne, needsOne),
    response: ok({}),
    errors: ['TWO_FACTOR_NOT_ENABLED', 'WRONG_PASSWORD', 'NO_PASSWORD_SET', ...wrongCode, 'SECRETS_KEY_MISSING'],
    example: { input: { password: cast.owner.password, code: example.authenticatorCode }, output: {} },
  }),

  /** Creates ten new recovery codes, which are shown only once. The old ones stop working. */
  newRecoveryCodes: route('POST /auth/two-factor/recovery-codes', {
    summary: 'Replace the recovery codes',
    access: { keys: 'none' },
    body: z.object({ password: ownPassword, code: twoFactorCode }),
    response: ok(codes),
    errors: ['TWO_FACTOR_NOT_ENABLED', 'WRONG_PASSWORD', 'NO_PASSWORD_SET', ...wrongCode, 'SECRETS_KEY_MISSING'],
    secret: true,
    example: {
      input: { password: cast.owner.password, code: example.authenticatorCode },
      output: example.recoveryCodes,
    },
  }),
}
