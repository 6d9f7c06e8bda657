import * as z from 'zod'
import * as example from '../../examples/people.ts'
import { ok } from '../../model/envelope.ts'
import { at } from '../../model/fields.ts'
import { linkToken } from '../../model/person-fields.ts'
import { signedIn } from '../../model/sign-in.ts'
import { route } from '../../route.ts'

/** Codes that open the console, signed in. */
export const consoleRoutes = {
  /**
   * Creates a code that signs you in to the console, in the organization of this session: open
   * `/console/#welcome=<code>`. It works once, for 15 minutes, and a new one replaces it.
   */
  consoleCode: route('POST /auth/console-code', {
    summary: 'Create a code that opens the console',
    access: { keys: 'none', withoutTwoFactor: true },
    response: ok({
      code: z.string().describe('The code. It is shown only once.'),
      expiresAt: at('When it stops working.'),
    }),
    secret: true,
    example: { output: { code: example.linkToken, expiresAt: example.at } },
    msgctl: 'msgctl open',
  }),

  /**
   * Signs in with a code that opens the console. One that is unknown, expired or used fails with INVALID_LINK. With
   * two-step sign-in the response is a challenge for POST /auth/two-factor.
   */
  welcome: route('POST /auth/welcome', {
    summary: 'Sign in with a code that opens the console',
    access: { keys: 'public' },
    body: z.object({ code: linkToken.describe('The text after #welcome= in the address.') }),
    response: signedIn,
    errors: ['INVALID_LINK', 'ACCOUNT_DEACTIVATED', 'RATE_LIMIT'],
    secret: true,
    example: { input: { code: example.linkToken }, output: example.session(example.ownOrganization, 'owner') },
  }),
}
