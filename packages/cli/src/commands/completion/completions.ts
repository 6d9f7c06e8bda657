import type { Command, Option } from 'commander'

/** A completion of the last word. */
export interface Completion {
  readonly word: string
  readonly description: string
}

/** The position in the command line: the command, and the option whose value is next. */
interface Position {
  readonly command: Command
  readonly waiting: Option | undefined
  /** The number of arguments of the command so far. */
  readonly operandCount: number
}

/** Returns the options of a command, then those of its parents. */
function optionsAt(command: Command): Option[] {
  const own = command.options.filter((option) => !option.hidden)
  return command.parent ? [...own, ...optionsAt(command.parent)] : own
}

function optionNamed(command: Command, word: string): Option | undefined {
  return optionsAt(command).find((option) => option.long === word || option.short === word)
}

function follow(root: Command, words: readonly string[]): Position {
  let reached: Position = { command: root, waiting: undefined, operandCount: 0 }
  for (const word of words) {
    const { command, waiting, operandCount } = reached
    if (waiting) {
      reached = { command, waiting: undefined, operandCount }
      continue
    }
    if (word.startsWith('-')) {
      const option = optionNamed(command, word)
      reached = { command, waiting: option?.required ? option : undefined, operandCount }
      continue
    }
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word))
    reached = next
      ? { command: next, waiting: undefined, operandCount: 0 }
      : { command, waiting, operandCount: operandCount + 1 }
  }
  return reached
}

function choices(words: readonly string[] | undefined, description: string): Completion[] {
  return (words ?? []).map((word) => ({ word, description }))
}

/** Returns the visible subcommands. */
function listVerbs(command: Command): Completion[] {
  const visible = command.createHelp().visibleCommands(command)
  return visible.map((each) => ({ word: each.name(), description: each.description() }))
}

/** The argument or option whose value is next, with the noun of the command. */
export interface ExpectedValue {
  readonly noun: string
  readonly name: string
}

/** Returns what the last of `words` is the value of, if it is one without fixed choices. */
export function expectedValue(root: Command, words: readonly string[]): ExpectedValue | undefined {
  const { command, waiting, operandCount } = follow(root, words.slice(0, -1))
  const last = command.registeredArguments.at(-1)
  const argument = command.registeredArguments[operandCount] ?? (last?.variadic ? last : undefined)
  if ((waiting ? waiting.argChoices : argument?.argChoices) !== undefined) return undefined
  const name = waiting ? waiting.attributeName() : argument?.name()
  const noun = command.parent === root || command === root ? command.name() : (command.parent?.name() ?? '')
  return name === undefined || words.at(-1)?.startsWith('-') ? undefined : { noun, name }
}

/** Returns the completions of the last of `words`, which may be empty. */
export function listCompletions(root: Command, words: readonly string[]): Completion[] {
  const typed = (words.at(-1) ?? '').replace(/^""$/, '')
  const { command, waiting, operandCount } = follow(root, words.slice(0, -1))
  const argument = command.registeredArguments[operandCount]
  const options = optionsAt(command).map(({ long, short, description }) => ({ word: long ?? short ?? '', description }))
  const all = waiting
    ? choices(waiting.argChoices, waiting.description)
    : typed.startsWith('-')
      ? options
      : [...listVerbs(command), ...choices(argument?.argChoices, argument?.description ?? '')]
  return all.filter(({ word }) => word.startsWith(typed))
}
