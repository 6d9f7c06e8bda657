import { argument } from './arguments.ts'
import { OperatorCommand, type Workplace } from './command.ts'
import {
  deletePerson,
  type EndedPerson,
  endSessions,
  resetLink,
  resetTwoFactor,
  type ShownPerson,
  showPerson,
  unlockSignIn,
} from './people.ts'
import { linkText, table } from './print.ts'
import { ownTerminal, type Terminal } from './terminal.ts'

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

function endedText({ ended, aiConnectionsEnded }: Omit<EndedPerson, 'email'>): string {
  return `Sessions ended: ${ended}. AI connections ended: ${aiConnectionsEnded}.`
}

/** Returns the operator's commands for people, in all organizations: `msgctl-server person ...`. */
export function personCommands(terminal: Terminal = ownTerminal): OperatorCommand {
  const person = new OperatorCommand('person', terminal).description('show people, and restore or end their access')

  function add<T>(
    name: string,
    description: string,
    execute: (place: Workplace, email: string) => Promise<T>,
    format: (result: T) => string,
  ): void {
    person
      .command(name)
      .description(description)
      .argument('<email>', 'e-mail address of the person', argument.email)
      .runs(execute, format)
  }

  add('show', 'show a person with their organizations', ({ db }, email) => showPerson(db, email), personText)
  add(
    'reset-link',
    'create a link that sets a password, to hand over; it works once, for 24 hours',
    ({ db, config }, email) => resetLink(db, config, email),
    linkText,
  )
  add(
    'reset-two-factor',
    'turn two-step sign-in off for a person who lost it; ask for proof of identity first',
    ({ db, config }, email) => resetTwoFactor(db, config, email),
    ({ email, ...ended }) => `Two-step sign-in of ${email} is off. ${endedText(ended)}\n`,
  )
  add(
    'unlock',
    'end the locks that ten wrong passwords or codes put on a sign-in; anyone who knows the address can cause one',
    ({ db }, email) => unlockSignIn(db, email),
    ({ email, lockedUntil }) => `The sign-in of ${email} is open. It was locked until ${lockedUntil.toISOString()}.\n`,
  )
  add(
    'end-sessions',
    'end all sessions, AI connections and links of a person',
    ({ db }, email) => endSessions(db, email),
    ({ email, ...ended }) => `The access of ${email} has ended. ${endedText(ended)}\n`,
  )
  add(
    'delete',
    'delete an account that owns no organization, and erase its data',
    ({ db }, email) => deletePerson(db, email),
    ({ email }) => `The account ${email} is deleted.\n`,
  )
  return person
}
