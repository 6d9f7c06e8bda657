import { Command, Option } from 'commander'
import type { Context } from './context.ts'
import { outputFormats } from './output/print.ts'
import { version } from './version.ts'

/** What a command does. A number that it answers is the exit code; nothing means 0. */
// biome-ignore lint/suspicious/noExplicitAny: commander gives arguments and options as the command declared them.
type Verb = (context: Context, ...args: any[]) => Promise<number | undefined> | Promise<void>

/** Makes the action of a command from what it does. */
export type Run = (verb: Verb) => (...args: unknown[]) => void

/** Adds the verbs of one entry to its command, or its arguments when it has no verbs. */
export type Register = (command: Command, run: Run) => void

/** One word behind `msgctl`: what the first help lists, and where the rest of it is. */
export interface Entry {
  readonly name: string
  readonly summary: string
  /** Called when the word is typed: no other command pays for the file. */
  load(): Promise<Register>
  /** Left out of help and completion. */
  readonly hidden?: true
}

/** What was typed, understood: the verb that runs and what it is given. */
export interface Plan {
  readonly verb: Verb
  readonly args: readonly unknown[]
}

/** A program that has parsed nothing yet, and where its plan will be. */
export interface Program {
  readonly root: Command
  plan(): Plan | undefined
}

/** Adds examples to the help of a command. Every command has some; a test demands it. */
export function examples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText('after', ['', 'Examples:', ...lines.map((line) => `  $ ${line}`)].join('\n'))
}

/** Adds a verb to a noun: how it is typed, what it does, and examples. */
export function addVerb(noun: Command, usage: string, summary: string, ...lines: readonly string[]): Command {
  return examples(noun.command(usage).description(summary), ...lines)
}

function withGlobalOptions(root: Command): Command {
  return root
    .option('--profile <name>', 'use this stored profile')
    .option('--base-url <url>', 'talk to this address, with what is stored for it')
    .option('--json', 'print JSON; errors too, on stderr')
    .addOption(new Option('--output <format>', 'how to print').choices(outputFormats))
    .option('--fields <names>', 'print only these fields, separated by commas')
    .option('--dry-run', 'show the change instead of making it')
    .option('-y, --yes', 'do not ask')
    .option('-q, --quiet', 'no notes on stderr')
}

const closing = `
Where it looks: flags, then MSG_API_KEY with MSG_BASE_URL or a typed --base-url, or MSG_PROFILE, then the nearest
.msgctl.json, then the current profile. msgctl config explain shows what it found.

Examples:
  $ msgctl login
  $ msgctl send +12025550100 "Your table is ready" --wait delivered
  $ msgctl messages list --status failed --json`

/** The program with every entry as a bare name; the entries in `loaded` also have their verbs. */
export function createProgram(entries: readonly Entry[], loaded: ReadonlyMap<string, Register>): Program {
  let plan: Plan | undefined
  const run: Run =
    (verb) =>
    (...given) => {
      // The last one is the command itself.
      plan = { verb, args: given.slice(0, -1) }
    }
  const root = withGlobalOptions(new Command('msgctl'))
    .description('Send and receive messages, and run the numbers they travel through.')
    .version(version, '-V, --version')
    .helpCommand('help [command]', 'show the help of a command')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', closing)
    .exitOverride()
  for (const { name, summary, hidden } of entries) {
    const command = root.command(name, { hidden: hidden ?? false }).description(summary)
    loaded.get(name)?.(command, run)
  }
  return { root, plan: () => plan }
}
