import { limits } from '@msgctl/contract'
import { apiError } from '#platform/errors.ts'

/** Returns the error for an invitation that does not work, in one wording for each reason. */
export function inviteInvalid() {
  return apiError('INVITE_INVALID', 'This invitation has expired, was cancelled or was used. Request a new one.')
}

/** Returns the error for a team that has reached its limit. */
export function teamFull() {
  const limit = limits.team
  return apiError('TEAM_FULL', `The team has ${limit} members and open invitations, which is the limit.`, { limit })
}

/** Returns the error for a person who is in the team. */
export function alreadyMember() {
  return apiError('ALREADY_MEMBER', 'This person is a member of the organization already.')
}

/** Returns the error for a person who is not in the team. */
export function noSuchMember() {
  return apiError('NOT_FOUND', 'There is no such member.')
}

/** Returns the error for what only the owner may do. */
export function notOwner(what: string) {
  return apiError('NOT_OWNER', `Only the owner of the organization may ${what}.`)
}

/** Returns the error for another country after the first payment. */
export function countryLocked(country: string) {
  return apiError('COUNTRY_LOCKED', `The country cannot change after the first payment: it stays ${country}.`, {
    country,
  })
}

/** Returns the error for an owner without two-step sign-in. */
export function ownerFirst() {
  return apiError('TWO_FACTOR_OWNER_FIRST', 'The owner must turn two-step sign-in on first.')
}

/** Returns the error for a person who owns the most organizations that are allowed. */
export function tooManyOrganizations() {
  const limit = limits.ownedOrganizations
  return apiError('TOO_MANY_ORGANIZATIONS', `A person can own up to ${limit} organizations.`, { limit })
}

/** Returns the error for the only organization of a person. */
export function lastOrganization(remedy: string) {
  return apiError('LAST_ORGANIZATION', `This is your only organization. ${remedy}`)
}

/** Returns the error for a person who owns organizations. */
export function ownsOrganizations(owned: readonly { readonly name: string }[]) {
  const organizations = owned.map(({ name }) => name)
  return apiError('OWNS_ORGANIZATION', `You own ${organizations.join(', ')}. Transfer or delete it first.`, {
    organizations,
  })
}
