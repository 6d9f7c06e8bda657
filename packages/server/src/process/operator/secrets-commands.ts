import { Command } from 'commander'
import { rotateSecrets, rotationText } from '#upkeep/secret-keys/rotate.ts'
import { runCommand } from './run.ts'
import { ownTerminal, type Terminal } from './terminal.ts'

/** Returns the operator's commands for the keys of secrets at rest: `msgctl-server secrets ...`. */
export function secretsCommands(terminal: Terminal = ownTerminal): Command {
  const secrets = new Command('secrets')
    .description('manage the keys that encrypt secrets at rest')
    .showHelpAfterError('Add --help to see the arguments.')
    .configureOutput({ writeOut: (text) => terminal.write(text), writeErr: (text) => terminal.complain(text) })
    .exitOverride(({ exitCode }) => terminal.leave(exitCode === 0 ? 0 : 2))
  secrets
    .command('rotate')
    .description('encrypt all secrets at rest with the first of SECRETS_KEYS; safe to interrupt and repeat')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) =>
      runCommand(
        terminal,
        json,
        async (db, { secretsKeys }) => {
          const rotation = await rotateSecrets(db, secretsKeys)
          if (Object.keys(rotation.unreadable).length > 0 || rotation.damaged > 0) terminal.end(1)
          return rotation
        },
        rotationText,
      ),
    )
  return secrets
}
