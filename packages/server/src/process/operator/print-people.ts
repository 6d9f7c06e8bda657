import type { ShownPerson } from './people.ts'
import { table } from './print.ts'

/** Formats a person with their organizations. */
export function personText(person: ShownPerson): string {
  const { id, name, email, emailVerifiedAt, hasPassword, twoFactorSince, recoveryCodesLeft, sessions } = person
  const { signInLockedUntil } = person
  const twoSteps =
    twoFactorSince === null
      ? 'off'
      : `on since ${twoFactorSince.toISOString()}, ${recoveryCodesLeft} recovery codes left`
  const facts = [
    ['Id', id],
    ['Name', name],
    ['E-mail', email],
    ['Confirmed', emailVerifiedAt?.toISOString() ?? 'no'],
    ['Password', hasPassword ? 'set' : 'not set'],
    ['Two steps', twoSteps],
    [
      'Sign-in',
      signInLockedUntil === null ? 'open' : `locked by wrong passwords until ${signInLockedUntil.toISOString()}`,
    ],
    ['Sessions', String(sessions)],
  ]
  const own = person.organizations.map((one) => [
    `  ${one.organizationId}`,
    one.name,
    one.isDeleted ? 'deleted' : one.role,
  ])
  return `${table(facts)}\nOrganizations\n${own.length === 0 ? '  none\n' : table(own)}`
}
