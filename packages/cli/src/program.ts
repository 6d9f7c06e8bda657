import { type Argument, Command, Help, Option } from 'commander'
import type { Context } from './context.ts'
import { version } from './host.ts'
import { outputFormats } from './output/print.ts'

/** Other names of commands that work and that help and completion leave out, by the path of the command. */
const verbAliases: Readonly<Record<string, readonly string[]>> = {
  'bots list': ['ls'],
  'bots show': ['get', 'status'],
  'bots edit': ['update'],
  'bots delete': ['remove', 'rm'],
  'campaigns send': ['start'],
  'campaigns show': ['status', 'get'],
  'campaigns edit': ['update'],
  'campaigns delete': ['remove', 'rm'],
  'campaigns list': ['ls'],
  'chats list': ['ls'],
  'contacts list': ['ls'],
  'events list': ['ls'],
  'keys generate': ['create', 'add'],
  'messages list': ['ls'],
  'messages show': ['get', 'status'],
  'messages delete': ['rm'],
  'numbers list': ['ls'],
  'numbers status': ['show', 'get'],
  'numbers add': ['create'],
  'numbers remove': ['delete', 'rm'],
  'numbers logout': ['unlink', 'disconnect'],
  'reminders list': ['ls'],
  'reminders show': ['get'],
  'reminders edit': ['update'],
  'reminders delete': ['remove', 'rm'],
  'org list': ['ls'],
  'org show': ['get'],
  'org create': ['add'],
  'org rename': ['update'],
  'org delete': ['remove', 'rm'],
  'team list': ['ls', 'members'],
  'team remove': ['delete', 'rm'],
  'webhook show': ['get', 'status'],
  'webhook rotate': ['regenerate'],
}

/** The function of a command. Returns the exit code; undefined means 0. */
// biome-ignore lint/suspicious/noExplicitAny: commander gives arguments and options as the command declared them.
type Verb = (context: Context, ...args: any[]) => Promise<number | undefined> | Promise<void>

/** Returns the action of a command for its function. */
export type Run = (verb: Verb) => (...args: unknown[]) => void

/** Adds the verbs of one noun to its command, or its arguments when it has no verbs. */
export type Register = (command: Command, run: Run) => void

/** A noun of `msgctl`: its line in the help, and the import of its commands. */
export interface Entry {
  readonly name: string
  readonly summary: string
  /** Called only when the noun is used, so that other commands do not load its files. */
  load(): Promise<{ readonly register: Register }>
  /** The heading of the help below which it stands. */
  readonly group?: string
  /** Whether help and completion leave it out. */
  readonly hidden?: true
}

/** A parsed command line: the function to run and its arguments. */
export interface Plan {
  readonly verb: Verb
  readonly args: readonly unknown[]
}

/** A program before parsing. `plan` returns the parsed command line after it. */
export interface Program {
  readonly root: Command
  plan(): Plan | undefined
}

/** Adds examples to the help of a command. A test requires them for every command. */
export function examples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText('after', ['', 'Examples:', ...lines.map((line) => `  $ ${line}`)].join('\n'))
}

/** Returns a verb of a noun. `options` adds its options, and arguments that the usage does not name. */
export function verb(
  usage: string,
  summary: string,
  action: Verb,
  lines: readonly string[],
  options = (command: Command): Command => command,
): Register {
  return (noun, run) => {
    options(examples(noun.command(usage).description(summary), ...lines)).action(run(action))
  }
}

/** Returns verbs, in the order of the help of their noun. */
export function verbs(...list: readonly Register[]): Register {
  return (noun, run) => {
    for (const add of list) add(noun, run)
  }
}

/** Returns a noun below another one, such as `auth two-factor`, with its verbs. */
export function subNoun(name: string, summary: string, ...list: readonly Register[]): Register {
  return (noun, run) => verbs(...list)(noun.command(name).description(summary), run)
}

/** Returns a program with the options of every command, and without commands. */
export function bareProgram(): Command {
  return new Command('msgctl')
    .option('--profile <name>', 'use this stored profile')
    .option('--base-url <url>', 'use this address, with the credentials stored for it')
    .option('--json', 'print JSON; errors are printed as JSON on stderr')
    .addOption(new Option('--output <format>', 'set the output format').choices(outputFormats))
    .option('--jq <program>', 'print JSON through this jq program')
    .option('--fields <names>', 'print only these fields, separated by commas')
    .option('--dry-run', 'show the change instead of making it')
    .option('-y, --yes', 'skip confirmation prompts')
    .option('-q, --quiet', 'suppress notes on stderr')
    .option('--utc', 'show times in UTC instead of the local time zone')
    .option('--verbose', 'show each request on stderr, without keys and bodies')
}

const closing = `
Configuration precedence: flags; then MSG_API_KEY with MSG_BASE_URL or
--base-url, or MSG_PROFILE; then the nearest .msgctl.json; then the current
profile. msgctl config explain shows each source. MSG_SIM_TOKEN is the token of
the simulator controls (msgctl sim).

Examples:
  $ msgctl login
  $ msgctl send +12025550100 "Your table is ready" --wait delivered
  $ msgctl messages list --status failed --json`

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

function argumentTerm(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '...' : '')
  return argument.required ? `<${name}>` : `[${name}]`
}

/** Returns the commands of entries, by noun. */
export async function loadCommands(entries: readonly Entry[]): Promise<Map<string, Register>> {
  return new Map(await Promise.all(entries.map(async ({ name, load }) => [name, (await load()).register] as const)))
}

/** The program with every entry as a bare name; the entries in `loaded` also have their verbs. */
export function createProgram(entries: readonly Entry[], loaded: ReadonlyMap<string, Register>): Program {
  let plan: Plan | undefined
  const run: Run =
    (verb) =>
    (...given) => {
      // The last argument is the command itself.
      plan = { verb, args: given.slice(0, -1) }
    }
  const root = bareProgram()
    .description('Send and receive messages, and manage the numbers that carry them.')
    .version(version, '-V, --version')
    .helpCommand('help [command]', 'show help for a command')
    .showSuggestionAfterError(false)
    .configureHelp({
      showGlobalOptions: true,
      // On 80 columns too, descriptions are broken between words, beside the longest option.
      minWidthToWrap: 20,
      // An option that can be repeated begins with an empty list, which help does not show.
      optionDescription: (option) =>
        new Help().optionDescription(
          Array.isArray(option.defaultValue) ? new Option(option.flags, option.description) : option,
        ),
      styleTitle: (title) => `\u001b[1m${title}\u001b[22m`,
      // Without aliases, and without the options of every command.
      subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' '),
      commandUsage: (command) => `${pathOf(command)} ${command.usage()}`,
    })
    .addHelpText('after', closing)
    .exitOverride()
  for (const { name, summary, hidden, group } of entries) {
    const command = root.command(name, { hidden: hidden ?? false }).description(summary)
    if (group !== undefined) command.helpGroup(`${group}:`)
    loaded.get(name)?.(command, run)
    for (const verb of command.commands) verb.aliases([...(verbAliases[`${name} ${verb.name()}`] ?? [])])
  }
  return { root, plan: () => plan }
}
