import type { Command, CommanderError } from 'commander'
import { commandRegistry } from './command-registry.ts'
import { readConfig } from './config/config-file.ts'
import { type Context, createContext } from './context.ts'
import type { CliError } from './errors/cli-error.ts'
import { exitCodes, usageFailure } from './errors/exit-codes.ts'
import { interruptionIn, toReport, writeReport } from './errors/format-error.ts'
import type { Host } from './host.ts'
import { sanitizeLine } from './output/sanitize.ts'
import { createProgram, type Plan, type Register } from './program.ts'

/** What parsing came to: a verb to run, or an exit code when commander has answered (help, version). */
type Parsed = { readonly plan: Plan; readonly root: Command } | { readonly exitCode: number }

/** The words that are no options, and not the value of one. */
function operandsOf(root: Command, argv: readonly string[]): string[] {
  const takesValue = (word: string) =>
    root.options.some(({ required, long, short }) => required && (word === long || word === short))
  return argv.filter((word, index) => !word.startsWith('-') && !takesValue(argv[index - 1] ?? ''))
}

/** The files of the words that were typed; none for the first help. */
async function loadTyped(argv: readonly string[]): Promise<Map<string, Register>> {
  const [first, second] = operandsOf(createProgram(commandRegistry, new Map()).root, argv)
  // These two speak about the word behind them.
  const about = first === 'help' || first === '__complete' ? second : undefined
  const typed = commandRegistry.filter(({ name }) => name === first || name === about)
  return new Map(await Promise.all(typed.map(async (entry) => [entry.name, await entry.load()] as const)))
}

/** By its code: in the bundle a class has another name. */
function isCommanderError(error: unknown): error is CommanderError {
  return error instanceof Error && String((error as Partial<CommanderError>).code).startsWith('commander.')
}

/** The words behind `msgctl` that lead to a command, with a blank behind each. */
function wordsOf(command: Command): string {
  return command.parent ? `${wordsOf(command.parent)}${command.name()} ` : ''
}

/** A wrong command line as a failure of ours; commander's own words begin with `error: `. */
function asUsage(error: CommanderError, command: string): CliError {
  const message = error.message.replace(/^error: /, '')
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}`.replace(/\n/g, ' ')
  return usageFailure(/[.!?)]$/.test(sentence) ? sentence : `${sentence}.`, `See msgctl ${command}--help`)
}

function apply(root: Command, change: (command: Command) => void): void {
  change(root)
  for (const command of root.commands) apply(command, change)
}

/** Parses what was typed. Throws a usage failure for a wrong command line. */
async function parse(host: Host, argv: readonly string[], forPrograms: () => boolean): Promise<Parsed> {
  const loaded = await loadTyped(argv)
  const { root, plan } = createProgram(commandRegistry, loaded)
  let help = ''
  const output = {
    writeOut: (text: string) => void host.stdout.write(text),
    writeErr: (text: string) => {
      help += text
    },
    outputError: () => {},
    getOutHelpWidth: () => host.stdout.columns || 100,
    getErrHelpWidth: () => host.stderr.columns || 100,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  }
  let failed = root
  apply(root, (command) =>
    command.configureOutput(output).exitOverride((error) => {
      failed = command
      throw error
    }),
  )
  try {
    root.parse(argv.length === 0 ? ['--help'] : [...argv], { from: 'user' })
  } catch (error) {
    if (!isCommanderError(error)) throw error
    if (error.exitCode === 0) return { exitCode: exitCodes.ok }
    const name = wordsOf(failed)
    if (error.code !== 'commander.help') throw asUsage(error, name)
    if (forPrograms()) throw usageFailure(`msgctl ${name}needs a verb.`, `See msgctl ${name}--help`)
    host.stderr.write(help)
    return { exitCode: exitCodes.usage }
  }
  const planned = plan()
  if (planned === undefined) throw usageFailure('Nothing to do.', 'See msgctl --help')
  return { plan: planned, root }
}

/** The format that is set. A configuration that cannot be read is not what is reported here. */
function storedFormat(host: Host): string | undefined {
  try {
    return readConfig(host).settings.output
  } catch {
    return undefined
  }
}

/**
 * Whether a program reads the answer, told from the bare words, or else from the setting: a wrong command line is
 * reported in its format too.
 */
function wantsJson(host: Host, argv: readonly string[]): boolean {
  const typed = argv.flatMap((word, index) => {
    if (word === '--json') return ['json']
    return /^--output(=|$)/.test(word) ? [word.split('=')[1] ?? argv[index + 1] ?? ''] : []
  })
  const formats = typed.length > 0 ? typed : [storedFormat(host) ?? '']
  return formats.some((format) => /^(nd)?json$/.test(format))
}

/** Shows the change that a dry run held back. */
async function showHeld(context: Context): Promise<boolean> {
  const held = context.held()
  if (held === undefined) return false
  const { method, url, body } = held
  const request = { dryRun: true, method, url, body: body === undefined ? null : JSON.parse(body) }
  if (context.print.isMachineReadable) await context.print.document(request)
  else {
    const shown = body === undefined ? '' : `${JSON.stringify(request.body, null, 2)}\n`
    await context.print.text(`Would send: ${method} ${sanitizeLine(url)}\n${shown}`)
  }
  return true
}

async function execute(context: Context, { verb, args }: Plan): Promise<number> {
  try {
    const exitCode = (await verb(context, ...args)) ?? exitCodes.ok
    return exitCode
  } catch (error) {
    if (await showHeld(context)) return exitCodes.ok
    throw error
  }
}

/** Runs one command line. Answers the exit code; every failure has been reported on stderr by then. */
export async function run(host: Host, argv: readonly string[]): Promise<number> {
  let forPrograms = () => wantsJson(host, argv)
  try {
    const parsed = await parse(host, argv, forPrograms)
    if ('exitCode' in parsed) return parsed.exitCode
    const context = createContext(host, parsed.root.opts())
    forPrograms = () => context.print.isMachineReadable
    return await execute(context, parsed.plan)
  } catch (error) {
    const report = host.signal.aborted ? interruptionIn(error) : toReport(error)
    writeReport(host, report, forPrograms())
    return report.exitCode
  }
}
