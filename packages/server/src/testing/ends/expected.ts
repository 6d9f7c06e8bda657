import type { CredentialName } from './credentials.ts'
import type { EventName } from './events.ts'

/**
 * What becomes of a credential. `pauses`: it works again after the event is taken back. `none`: there is none of it at
 * that time. A credential that stays has a reason.
 */
type Outcome = 'ends' | 'pauses' | `none: ${string}` | `stays: ${string}`
type Row = Readonly<Record<CredentialName, Outcome>>

const makesIt = 'stays: the person makes the change in it'
const ofOrganization = 'stays: it belongs to the organization'

/** Whatever lets a person in, in all organizations, except for proofs that the person gives again. */
const allOfPerson: Row = {
  'the session that makes the change': 'ends',
  'another session': 'ends',
  'the cookie of the console': 'ends',
  'an event stream of a session': 'ends',
  'an event stream of the account key': ofOrganization,
  'the account key': ofOrganization,
  'the key of a number': ofOrganization,
  'an access token of an AI client': 'ends',
  'a refresh token of an AI client': 'ends',
  'a code for an AI client': 'ends',
  'an action of an AI client that waits': 'ends',
  'an action of the account key that waits': ofOrganization,
  'an invitation that the person sent': 'stays: the person may still invite, and the team sees open invitations',
  'a half-finished sign-in': 'ends',
  'a code of the console': 'ends',
  'the password': 'stays: it is not what may have leaked',
  'a recovery code': 'stays: it proves the second step only',
  'the authenticator': 'stays: it proves the second step only',
  'a link that confirms the address': 'stays: it lets no one in',
  'a link for a new password': 'ends',
}

/** Everything stays, for this reason. */
function allStays(reason: string): Row {
  const names = Object.keys(allOfPerson) as CredentialName[]
  return Object.fromEntries(names.map((name) => [name, `stays: ${reason}`])) as Row
}

/** What a person has in one organization. */
const ofMember = {
  'the session that makes the change': 'ends',
  'another session': 'ends',
  'the cookie of the console': 'ends',
  'an event stream of a session': 'ends',
  'an access token of an AI client': 'ends',
  'a refresh token of an AI client': 'ends',
  'a code for an AI client': 'ends',
  'an action of an AI client that waits': 'ends',
  'an invitation that the person sent': 'ends',
  'a half-finished sign-in': 'ends',
  'a code of the console': 'ends',
} as const satisfies Partial<Row>

const removed: Row = { ...allStays('the organization, or another one of the person, still has it'), ...ofMember }
const secondStep = { 'a recovery code': 'ends', 'the authenticator': 'ends' } as const

/** What ends when. A new event or credential without a cell does not compile. */
export const expected: Readonly<Record<EventName, Row>> = {
  'the person changes the password': {
    ...allOfPerson,
    'the session that makes the change': makesIt,
    'the password': 'ends',
  },
  'the person ends all other sessions': { ...allOfPerson, 'the session that makes the change': makesIt },
  'the person ends one session': {
    ...allStays('the person chose another one'),
    'another session': 'ends',
    'an event stream of a session': 'ends',
  },
  'the person signs out': {
    ...allStays('the person leaves one device'),
    'the session that makes the change': 'ends',
  },
  'the person turns two steps on': {
    ...allOfPerson,
    'the session that makes the change': makesIt,
    'a half-finished sign-in': 'none: sign-ins took one step',
    'a recovery code': 'none: there are new ones',
    'the authenticator': 'none: there is a new one',
  },
  'the person turns two steps off': {
    ...allStays('the person has just proved both steps'),
    ...secondStep,
    'a half-finished sign-in': 'ends',
  },
  'the person sets a new password by a link': {
    ...allOfPerson,
    'the password': 'ends',
    'a link that confirms the address': 'ends',
  },
  'the operator sets a new password': { ...allOfPerson, 'the password': 'ends' },
  'the operator turns two steps off': { ...allOfPerson, ...secondStep },
  'the operator ends all sessions': allOfPerson,
  'the person joins by an invitation that proves the mailbox': {
    ...allOfPerson,
    ...secondStep,
    'the password': 'ends',
    'a link that confirms the address': 'ends',
  },
  'an owner removes the person': removed,
  'the person leaves': removed,
  'the person becomes a member': {
    ...allStays('the role is read at each request'),
    'an invitation that the person sent': 'ends',
  },
  'the account is deleted': {
    ...allOfPerson,
    ...ofMember,
    ...secondStep,
    'the password': 'ends',
    'a link that confirms the address': 'ends',
  },
  'the organization is deleted': {
    ...removed,
    'an event stream of the account key': 'ends',
    'the account key': 'ends',
    'the key of a number': 'ends',
    'an action of the account key that waits': 'ends',
  },
  'the organization is deactivated': {
    'the session that makes the change': 'pauses',
    'another session': 'pauses',
    'the cookie of the console': 'pauses',
    'an event stream of a session': 'ends',
    'an event stream of the account key': 'ends',
    'the account key': 'pauses',
    'the key of a number': 'pauses',
    'an access token of an AI client': 'pauses',
    'a refresh token of an AI client': 'stays: its access tokens are refused',
    'a code for an AI client': 'stays: its access tokens are refused',
    'an action of an AI client that waits': 'pauses',
    'an action of the account key that waits': 'pauses',
    'an invitation that the person sent': 'stays: sessions of the organization are refused',
    'a half-finished sign-in': 'pauses',
    'a code of the console': 'pauses',
    'the password': 'stays: the person is in another organization',
    'a recovery code': 'stays: the person is in another organization',
    'the authenticator': 'stays: the person is in another organization',
    'a link that confirms the address': 'stays: it lets no one in',
    'a link for a new password': 'stays: the person is in another organization',
  },
  'the account key is regenerated': {
    ...allStays('it is no account key'),
    'an event stream of the account key': 'ends',
    'the account key': 'ends',
    'an action of the account key that waits': 'ends',
  },
  'the key of the number is regenerated': {
    ...allStays('it is not the key of the number'),
    'the key of a number': 'ends',
  },
  'the key of the number is deleted': {
    ...allStays('it is not the key of the number'),
    'the key of a number': 'ends',
  },
}
