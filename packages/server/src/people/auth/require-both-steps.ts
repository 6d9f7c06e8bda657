import type { Caller } from '#api/http/handler.ts'
import type { Services } from '#services.ts'
import { requirePassword } from './require-password.ts'
import type { Credentials } from './store.ts'
import { checkSecondStep } from './two-factor/second-step.ts'
import { findTwoFactor } from './two-factor/store.ts'

/**
 * Requires the password of the signed-in person, and the code while two steps are on, before what cannot be taken back.
 * Throws like {@link requirePassword} and {@link checkSecondStep}.
 */
export async function requireBothSteps(
  services: Pick<Services, 'db' | 'secrets'>,
  caller: Caller,
  { password, code }: { readonly password: string; readonly code?: string | undefined },
): Promise<Credentials> {
  const person = await requirePassword(services, caller, password)
  if ((await findTwoFactor(services.db, person.userId))?.enabledAt) {
    await checkSecondStep(services, person.userId, { code })
  }
  return person
}
