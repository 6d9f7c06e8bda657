import { checkInstallation } from '#process/check/check.ts'
import { addNetworkCommand, checkText } from './check-network-command.ts'
import { OperatorCommand } from './command.ts'
import { ownTerminal, type Terminal } from './terminal.ts'

/** Returns the operator's command that checks an installation: `msgctl-server check`. */
export function checkCommand(terminal: Terminal = ownTerminal): OperatorCommand {
  const check = new OperatorCommand('check', terminal)
    .description('check the preconditions of a production installation; exits with 1 when one is not met')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await checkInstallation(terminal.env)
      terminal.write(json ? `${JSON.stringify(findings, null, 2)}\n` : checkText(findings))
      if (findings.some(({ outcome }) => outcome === 'failed')) terminal.end(1)
    })
  addNetworkCommand(check)
  return check
}
