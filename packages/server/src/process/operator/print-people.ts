import type { ShownPerson } from './people.ts'
import { table } from './print.ts'

/** Formats a person with their organizations. */
export function personText(person: ShownPerson): string {
  const { id, name, email, emailVerifiedAt, hasPassword, twoFactorSince, recoveryCodesLeft, sessions } = person
  const locks = [
    ['passwords', person.signInLockedUntil],
    ['codes', person.secondStepLockedUntil],
  ] as const
  const locked = locks.flatMap(([what, until]) =>
    until === null ? [] : [`locked by wrong ${what} until ${until.toISOString()}`],
  )
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
    ['Sign-in', locked.length === 0 ? 'open' : locked.join(', ')],
    ['Sessions', String(sessions)],
  ]
  const own = person.organizations.map((one) => [
    `  ${one.organizationId}`,
    one.name,
    one.isDeleted ? 'deleted' : one.role,
  ])
  return `${table(facts)}\nOrganizations\n${own.length === 0 ? '  none\n' : table(own)}`
}
