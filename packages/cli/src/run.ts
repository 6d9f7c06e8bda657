import type { Command, CommanderError, Option } from 'commander'
import { commandRegistry } from './command-registry.ts'
import { readConfig } from './config/config-file.ts'
import { type Context, createContext } from './context.ts'
import type { CliError } from './errors/cli-error.ts'
import { exitCodes, usageFailure } from './errors/exit-codes.ts'
import { interruptionIn, toReport, writeReport } from './errors/format-error.ts'
import { type Host, supportsColour } from './host.ts'
import { suggestCommand, suggestOption } from './input/suggest.ts'
import { sanitizeLine } from './output/sanitize.ts'
import { bareProgram, createProgram, loadCommands, type Plan, type Register } from './program.ts'

/** The result of parsing: a command to run, or an exit code after help or version was printed. */
type Parsed = { readonly plan: Plan; readonly root: Command } | { readonly exitCode: number }

/** Returns the words that are neither options nor values of options. */
function findOperands(root: Command, argv: readonly string[]): string[] {
  const takesValue = (word: string) =>
    root.options.some(({ required, long, short }) => required && (word === long || word === short))
  return argv.filter((word, index) => !word.startsWith('-') && !takesValue(argv[index - 1] ?? ''))
}

/** Loads the commands of the noun on the command line; none for the top-level help. */
async function loadTyped(argv: readonly string[]): Promise<Map<string, Register>> {
  const [first, second] = findOperands(bareProgram(), argv)
  // These two take the name of another command.
  const about = first === 'help' || first === '__complete' ? second : undefined
  const typed = commandRegistry.filter(({ name }) => name === first || name === about)
  return loadCommands(typed)
}

/** Recognized by its code, because the bundle renames classes. */
function isCommanderError(error: unknown): error is CommanderError {
  return error instanceof Error && String((error as Partial<CommanderError>).code).startsWith('commander.')
}

/** Returns the path of a command below `msgctl`, with a space after each word. */
function commandPath(command: Command): string {
  return command.parent ? `${commandPath(command.parent)}${command.name()} ` : ''
}

/** Returns ` Did you mean ...?` for an unknown command or option, or nothing. */
function suggestion({ code, message }: CommanderError, command: Command): string {
  const typed = /'([^']*)'/.exec(message)?.[1] ?? ''
  const path = commandPath(command)
  if (code === 'commander.unknownCommand') {
    const names = command
      .createHelp()
      .visibleCommands(command)
      .map((verb) => verb.name())
    const meant = suggestCommand(typed, names)
    if (meant !== undefined) return ` Did you mean msgctl ${path}${meant}?`
    // The first help names the nouns; those of one noun fit in a line.
    return command.parent ? ` It has: ${names.filter((name) => name !== 'help').join(', ')}.` : ''
  }
  if (code !== 'commander.unknownOption') return ''
  const options = optionsOf(command).flatMap(({ long }) => long ?? [])
  const meant = suggestOption(typed, options)
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}

function optionsOf(command: Command): readonly Option[] {
  return command.parent ? [...command.options, ...optionsOf(command.parent)] : command.options
}

/** Converts commander's error, whose message begins with `error: `, to a usage error. */
function asUsage(error: CommanderError, failed: Command): CliError {
  const command = commandPath(failed)
  const message = error.message.replace(/^error: /, '')
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}`.replace(/\n/g, ' ')
  const ended = /[.!?)]$/.test(sentence) ? sentence : `${sentence}.`
  return usageFailure(`${ended}${suggestion(error, failed)}`, `See msgctl ${command}--help`)
}

function apply(root: Command, change: (command: Command) => void): void {
  change(root)
  for (const command of root.commands) apply(command, change)
}

/** Parses the command line. Throws a usage error for an invalid one. */
async function parse(host: Host, argv: readonly string[], isMachineReadable: () => boolean): Promise<Parsed> {
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
    getErrHelpWidth: () => host.stdout.columns || 100,
    getOutHasColors: () => supportsColour(host, host.stdout),
    // The help of a noun alone is collected as an error and printed on stdout.
    getErrHasColors: () => supportsColour(host, host.stdout),
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
    const name = commandPath(failed)
    if (error.code !== 'commander.help') throw asUsage(error, failed)
    if (isMachineReadable())
      throw usageFailure(`Missing subcommand for 'msgctl ${name.trim()}'.`, `See msgctl ${name}--help`)
    // A noun alone is a request for its help.
    host.stdout.write(help)
    return { exitCode: exitCodes.ok }
  }
  const planned = plan()
  if (planned === undefined) throw usageFailure('Nothing to do.', 'See msgctl --help')
  return { plan: planned, root }
}

/** Returns the configured format. An unreadable configuration is ignored here and reported later. */
function storedFormat(host: Host): string | undefined {
  try {
    return readConfig(host).settings.output
  } catch {
    return undefined
  }
}

/**
 * Returns whether the output is machine-readable, by the raw arguments or the setting, so that even an invalid command
 * line is reported in the right format.
 */
function wantsJson(host: Host, argv: readonly string[]): boolean {
  const typed = argv.flatMap((word, index) => {
    if (word === '--json' || /^--jq(=|$)/.test(word)) return ['json']
    return /^--output(=|$)/.test(word) ? [word.split('=')[1] ?? argv[index + 1] ?? ''] : []
  })
  const formats = typed.length > 0 ? typed : [storedFormat(host) ?? '']
  return formats.some((format) => /^(nd)?json$/.test(format))
}

/** Prints the request that a dry run did not send. */
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

/** Runs one command line and returns its exit code. Errors are reported on stderr before it returns. */
export async function run(host: Host, argv: readonly string[]): Promise<number> {
  let isMachineReadable = () => wantsJson(host, argv)
  try {
    const parsed = await parse(host, argv, isMachineReadable)
    if ('exitCode' in parsed) return parsed.exitCode
    const context = createContext(host, parsed.root.opts())
    isMachineReadable = () => context.print.isMachineReadable
    return await execute(context, parsed.plan)
  } catch (error) {
    const report = host.signal.aborted ? interruptionIn(error) : toReport(error)
    writeReport(host, report, isMachineReadable())
    return report.exitCode
  }
}
