import { adminCommands } from './operator/admin-commands.ts'
import { billingCommands } from './operator/billing-commands.ts'
import { checkCommand } from './operator/check-command.ts'
import { organizationCommands } from './operator/commands.ts'
import { gatewayCommands } from './operator/gateway-commands.ts'
import { guardCommands } from './operator/guard-commands.ts'
import { personCommands } from './operator/person-commands.ts'
import { afterRestoreCommand } from './operator/restore-command.ts'
import { secretsCommands } from './operator/secrets-commands.ts'
import { setAsideCommands } from './operator/set-aside-commands.ts'
import { wahaCommands } from './operator/waha-commands.ts'

/** Returns the commands of msgctl-server that work on the database of the service, beside `serve` and `migrate`. */
export function operatorCommands() {
  return [
    checkCommand(),
    afterRestoreCommand(),
    organizationCommands(),
    secretsCommands(),
    guardCommands(),
    setAsideCommands(),
    personCommands(),
    adminCommands(),
    wahaCommands(),
    gatewayCommands(),
    billingCommands(),
  ]
}
