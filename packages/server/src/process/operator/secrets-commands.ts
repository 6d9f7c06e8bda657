import { rotateSecrets, rotationText } from '#upkeep/secret-keys/rotate.ts'
import { OperatorCommand } from './command.ts'
import { ownTerminal, type Terminal } from './terminal.ts'

/** Returns the operator's commands for the keys of secrets at rest: `msgctl-server secrets ...`. */
export function secretsCommands(terminal: Terminal = ownTerminal): OperatorCommand {
  const secrets = new OperatorCommand('secrets', terminal).description('manage the keys that encrypt secrets at rest')
  secrets
    .command('rotate')
    .description('encrypt all secrets at rest with the first of SECRETS_KEYS; safe to interrupt and repeat')
    .runs(async ({ db, config: { secretsKeys } }) => {
      const rotation = await rotateSecrets(db, secretsKeys)
      if (Object.keys(rotation.unreadable).length > 0 || rotation.damaged > 0) terminal.end(1)
      return rotation
    }, rotationText)
  return secrets
}
