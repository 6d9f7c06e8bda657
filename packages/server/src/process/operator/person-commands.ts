import { Command } from 'commander'
import type { Db } from '#platform/db/db.ts'
import type { Config } from '#process/config.ts'
import { argument } from './arguments.ts'
import {
  deletePerson,
  type EndedPerson,
  endSessions,
  resetLink,
  resetTwoFactor,
  showPerson,
  unlockSignIn,
} from './people.ts'
import { linkText } from './print.ts'
import { personText } from './print-people.ts'
import { runCommand } from './run.ts'
import { ownTerminal, type Terminal } from './terminal.ts'

function endedText({ ended, aiConnectionsEnded }: Omit<EndedPerson, 'email'>): string {
  return `Sessions ended: ${ended}. AI connections ended: ${aiConnectionsEnded}.`
}

/** Returns the operator's commands for people, in all organizations: `msgctl-server person ...`. */
export function personCommands(terminal: Terminal = ownTerminal): Command {
  const person = new Command('person')
    .description('show people, and restore or end their access')
    .showHelpAfterError('Add --help to see the arguments.')
    .configureOutput({ writeOut: (text) => terminal.write(text), writeErr: (text) => terminal.complain(text) })
    .exitOverride(({ exitCode }) => terminal.leave(exitCode === 0 ? 0 : 2))

  function add<T>(
    name: string,
    description: string,
    execute: (db: Db, config: Config, email: string) => Promise<T>,
    format: (result: T) => string,
  ): void {
    person
      .command(name)
      .description(description)
      .argument('<email>', 'e-mail address of the person', argument.email)
      .option('--json', 'print JSON')
      .action((email: string, { json }: { json?: boolean }) =>
        runCommand(terminal, json, (db, config) => execute(db, config, email), format),
      )
  }

  add('show', 'show a person with their organizations', (db, _config, email) => showPerson(db, email), personText)
  add(
    'reset-link',
    'create a link that sets a password, to hand over; it works once, for 24 hours',
    resetLink,
    linkText,
  )
  add(
    'reset-two-factor',
    'turn two-step sign-in off for a person who lost it; ask for proof of identity first',
    resetTwoFactor,
    ({ email, ...ended }) => `Two-step sign-in of ${email} is off. ${endedText(ended)}\n`,
  )
  add(
    'unlock',
    'end the locks that ten wrong passwords or codes put on a sign-in; anyone who knows the address can cause one',
    (db, _config, email) => unlockSignIn(db, email),
    ({ email, lockedUntil }) => `The sign-in of ${email} is open. It was locked until ${lockedUntil.toISOString()}.\n`,
  )
  add(
    'end-sessions',
    'end all sessions, AI connections and links of a person',
    (db, _config, email) => endSessions(db, email),
    ({ email, ...ended }) => `The access of ${email} has ended. ${endedText(ended)}\n`,
  )
  add(
    'delete',
    'delete an account that owns no organization, and erase its data',
    (db, _config, email) => deletePerson(db, email),
    ({ email }) => `The account ${email} is deleted.\n`,
  )
  return person
}
