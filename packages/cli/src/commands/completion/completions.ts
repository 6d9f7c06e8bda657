import type { Command, Option } from 'commander'

/** One word that could come next. */
export interface Completion {
  readonly word: string
  readonly description: string
}

/** Where the words lead: the command that is being typed, and the option that waits for its value. */
interface Reached {
  readonly command: Command
  readonly waiting: Option | undefined
  /** How many arguments of the command are there already. */
  readonly operandCount: number
}

/** The options that count at a command: its own, then those of every command. */
function optionsAt(command: Command): Option[] {
  const own = command.options.filter((option) => !option.hidden)
  return command.parent ? [...own, ...optionsAt(command.parent)] : own
}

function optionNamed(command: Command, word: string): Option | undefined {
  return optionsAt(command).find((option) => option.long === word || option.short === word)
}

function follow(root: Command, words: readonly string[]): Reached {
  let reached: Reached = { command: root, waiting: undefined, operandCount: 0 }
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

/** Commands that help hides are not offered either. */
function verbsOf(command: Command): Completion[] {
  const visible = command.createHelp().visibleCommands(command)
  return visible.map((each) => ({ word: each.name(), description: each.description() }))
}

/** What could stand in the place of the last of `words`, which may be empty. */
export function listCompletions(root: Command, words: readonly string[]): Completion[] {
  const typed = (words.at(-1) ?? '').replace(/^""$/, '')
  const { command, waiting, operandCount } = follow(root, words.slice(0, -1))
  const argument = command.registeredArguments[operandCount]
  const options = optionsAt(command).map(({ long, short, description }) => ({ word: long ?? short ?? '', description }))
  const all = waiting
    ? choices(waiting.argChoices, waiting.description)
    : typed.startsWith('-')
      ? options
      : [...verbsOf(command), ...choices(argument?.argChoices, argument?.description ?? '')]
  return all.filter(({ word }) => word.startsWith(typed))
}
