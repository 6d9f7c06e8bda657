import { openSecrets } from '@msgctl/network/secrets'
import { type Command, InvalidArgumentError } from 'commander'
import { probeWays } from '#networks/gateway/direct/probe.ts'
import { inspectHosts } from '#networks/gateway/waha/manage.ts'
import { Refusal } from '#people/organizations/refusal.ts'
import type { Db } from '#platform/db/db.ts'
import { judgeClaimedVersion } from '#process/check/check.ts'
import type { Finding } from '#process/check/finding.ts'
import { judgeWays } from '#process/check/network-rules.ts'
import { checkPhones, type StepWord, stepWords } from '#process/check/phones/check-phones.ts'
import { findPair, nameOf, type Pair } from '#process/check/phones/pair.ts'
import { keepTrace } from '#process/check/phones/trace-file.ts'
import { judgeWahaServers } from '#process/check/waha-rules.ts'
import type { Config } from '#process/config.ts'
import { startServices } from '#process/start-services.ts'
import { argument } from './arguments.ts'
import { type OperatorCommand, runCommand } from './command.ts'
import { confirmByName } from './confirm.ts'
import { sanitize, table } from './print.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly json?: boolean
  readonly number?: string
  readonly peer?: string
  readonly kill?: boolean
  readonly only?: ReadonlySet<StepWord>
  readonly trace?: string
  readonly wait: number
  readonly yes?: boolean
}

const defaultWaitSeconds = 30

/** Adds `msgctl-server check network` to the command `check`. */
export function addNetworkCommand(check: OperatorCommand): void {
  const { terminal } = check
  check
    .command('network')
    .description(
      'try the ways to the network and WAHA servers; with --number and --peer, let two numbers write to each other',
    )
    .option('--number <containerId>', 'a linked number of any organization, which sends', argument.numberId)
    .option('--peer <containerId>', 'another one, which receives and writes back', argument.numberId)
    .option('--kill', 'end the gateway host of the number once, as a crash does')
    .option('--only <steps>', `the texts and these alone, separated by commas: ${stepWords.join(', ')}`, parseSteps)
    .option('--wait <seconds>', 'how long each thing may take', argument.seconds, defaultWaitSeconds)
    .option(
      '--trace <file>',
      'write what both numbers sent and got to a file, from the folder GATEWAY_TRACE of hosts here',
    )
    .option('--yes', 'send without asking')
    .option('--json', 'print JSON')
    .action((_: object, command: Command) => {
      // --json belongs to the command above, too, which takes it wherever it stands.
      const options = command.optsWithGlobals() as Options
      const { number, peer } = options
      if (number !== undefined && peer !== undefined) return runPhones(terminal, options, { number, peer })
      return runCommand(
        terminal,
        options.json,
        async ({ db, config }) => {
          if (number !== undefined || peer !== undefined) {
            throw new Refusal('It takes two numbers: give both --number and --peer.', 2)
          }
          return endWith(terminal, [...(await findWays(db, config)), ...(await findWahaServers(db, config))])
        },
        checkText,
      )
    })
}

function parseSteps(text: string): ReadonlySet<StepWord> {
  const words = text.split(',').map((word) => word.trim())
  const steps = words.flatMap((word) => stepWords.filter((step) => step === word))
  if (steps.length === words.length) return new Set(steps)
  throw new InvalidArgumentError(`It must be a list of these: ${stepWords.join(', ')}.`)
}

/** Tries the ways of gateway hosts, and judges the version that they claim to be. */
async function findWays(db: Db, { secretsKeys, gateway }: Config): Promise<Finding[]> {
  const ways = judgeWays(await probeWays(db, openSecrets(secretsKeys)), gateway !== 'waha')
  return [...ways, ...(await judgeClaimedVersion(db))]
}

/** Tries the WAHA servers. */
async function findWahaServers(db: Db, { secretsKeys, gatewayCallbackUrl }: Config): Promise<Finding[]> {
  return judgeWahaServers(await inspectHosts({ db, secrets: openSecrets(secretsKeys) }), gatewayCallbackUrl)
}

function runPhones(terminal: Terminal, options: Options, ids: { number: string; peer: string }): Promise<void> {
  const { json } = options
  return runCommand(
    terminal,
    json,
    async ({ db, config, databaseUrl }) => {
      const pair = await findPair(db, ids)
      await confirmByName(terminal, {
        effect: effectOf(pair, options),
        name: pair.number.organizationName,
        yes: options.yes,
      })
      const onFinding = (finding: Finding) => {
        if (!json) terminal.write(lineOf(finding))
      }
      const uses = (gateway: string) => [pair.number, pair.peer].some((one) => one.gateway === gateway)
      const ways = [
        ...(uses('direct') ? await findWays(db, config) : []),
        ...(uses('waha') ? await findWahaServers(db, config) : []),
      ]
      for (const finding of ways) onFinding(finding)
      const trace = options.trace === undefined ? null : keepTrace(terminal.env.GATEWAY_TRACE, options.trace)
      // Its log would stand between the findings.
      const services = await startServices(config, databaseUrl, { logTo: { write: () => undefined } })
      try {
        const found = await checkPhones({ services, withinMs: options.wait * 1000 }, pair, {
          steps: options.only ?? new Set(stepWords),
          kill: options.kill ?? false,
          ask: async (question) => (json ? null : terminal.ask(question)),
          onFinding,
        })
        const kept = trace ? [trace.write(pair)] : []
        for (const finding of kept) onFinding(finding)
        return endWith(terminal, [...ways, ...found, ...kept])
      } finally {
        await services.stop()
      }
    },
    summary,
  )
}

function effectOf({ number, peer }: Pair, { kill }: Options): string {
  const ended = kill ? ' The gateway host of the first one is ended once, with all of its numbers.' : ''
  return (
    `About 15 messages go from ${sanitize(nameOf(number))} to ${sanitize(nameOf(peer))}, and some back. They stay in ` +
    `both chats and histories, and the webhooks and assistants of both numbers receive them.${ended}`
  )
}

function endWith(terminal: Terminal, findings: Finding[]): Finding[] {
  if (findings.some(({ outcome }) => outcome === 'failed')) terminal.end(1)
  return findings
}

const widths = { outcome: 8, name: 22 }

/** Formats a finding before the others are known. */
function lineOf({ outcome, name, text }: Finding): string {
  return `${outcome.padEnd(widths.outcome)}${sanitize(name).padEnd(widths.name)}  ${sanitize(text)}\n`
}

function summary(findings: readonly Finding[]): string {
  const count = (outcome: Finding['outcome']) => findings.filter((one) => one.outcome === outcome).length
  return `\n${count('ok')} ok, ${count('note')} to check by eye, ${count('failed')} failed.\n`
}

/** Formats findings, one per line. */
export function checkText(findings: readonly Finding[]): string {
  return table(findings.map(({ name, outcome, text }) => [outcome, name, text]))
}
