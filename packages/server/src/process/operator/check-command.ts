import { openSecrets } from '@msgctl/network/secrets'
import { Command } from 'commander'
import { probeWays } from '#networks/gateway/direct/probe.ts'
import { checkInstallation } from '#process/check/check.ts'
import type { Finding } from '#process/check/finding.ts'
import { judgeWays } from '#process/check/network-rules.ts'
import { table } from './print.ts'
import { runCommand } from './run.ts'
import { ownTerminal, type Terminal } from './terminal.ts'

/** Returns the operator's command that checks an installation: `msgctl-server check`. */
export function checkCommand(terminal: Terminal = ownTerminal): Command {
  const check = new Command('check')
    .description('check the preconditions of a production installation; exits with 1 when one is not met')
    .option('--json', 'print JSON')
    .configureOutput({ writeOut: (text) => terminal.write(text), writeErr: (text) => terminal.complain(text) })
    .exitOverride(({ exitCode }) => terminal.leave(exitCode === 0 ? 0 : 2))
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await checkInstallation(terminal.env)
      terminal.write(json ? `${JSON.stringify(findings, null, 2)}\n` : checkText(findings))
      endWith(terminal, findings)
    })
  addNetworkCommand(check, terminal)
  return check
}

function addNetworkCommand(check: Command, terminal: Terminal): void {
  check
    .command('network')
    .description('try the way of each gateway host and proxy to the network; nothing is linked or sent')
    .option('--json', 'print JSON')
    .action((_: object, command: Command) =>
      runCommand(
        terminal,
        // The option belongs to the command above, too, which takes it wherever it stands.
        (command.optsWithGlobals() as { json?: boolean }).json,
        async (db, { secretsKeys }) => {
          const findings = judgeWays(await probeWays(db, openSecrets(secretsKeys)))
          endWith(terminal, findings)
          return findings
        },
        checkText,
      ),
    )
}

function endWith(terminal: Terminal, findings: readonly Finding[]): void {
  if (findings.some(({ outcome }) => outcome === 'failed')) terminal.end(1)
}

function checkText(findings: readonly Finding[]): string {
  return table(findings.map(({ name, outcome, text }) => [outcome, name, text]))
}
