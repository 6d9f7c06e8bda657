import type { Source } from './sources.ts'
import type { Node } from './syntax.ts'
import { placeOf, treeOf } from './syntax.ts'

/** A text that stands in a source, with its expressions as `…`. */
export interface Text {
  readonly place: string
  readonly text: string
}

/** Returns the texts of a source: literals and templates, those that `+` joins as one. */
export function textsIn(source: Source): Text[] {
  const tree = treeOf(source)
  const isJoined = (node: Node) => {
    const parent = tree.parents.get(node)
    return parent?.type === 'BinaryExpression' && parent.operator === '+'
  }
  return tree.nodes.flatMap((node) => {
    const text = isJoined(node) ? undefined : textIn(node)
    return text === undefined ? [] : [{ place: placeOf(tree, node), text }]
  })
}

function textIn(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked ?? '').join('…')
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined
  const [left, right] = [textIn(node.left), textIn(node.right)]
  return left === undefined && right === undefined ? undefined : `${left ?? '…'}${right ?? '…'}`
}

/** A command of a program with those inside of it, as commander has them. */
export interface Command {
  readonly name: () => string
  readonly aliases: () => readonly string[]
  readonly commands: readonly Command[]
  readonly options: readonly Option[]
  readonly registeredArguments: readonly { readonly required: boolean; readonly variadic: boolean }[]
  readonly parent: Command | null
  /** What it does by itself; null for one that only has others inside of it. */
  readonly _actionHandler?: unknown
}

interface Option {
  readonly long?: string | null | undefined
  readonly short?: string | null | undefined
  /** Whether it has a value. */
  readonly required?: boolean
}

/** Returns a command that has only these inside of it. */
export function commandOf(name: string, commands: readonly Command[] = []): Command {
  return { name: () => name, aliases: () => [], commands, options: [], registeredArguments: [], parent: null }
}

/** A program that texts name, by what its commands begin with. */
export interface Named {
  readonly name: string
  readonly program: Command
}

/** Returns what is wrong with the commands of some programs that a text names. */
export function wrongCommands(text: string, programs: readonly Named[]): string[] {
  return programs.flatMap(({ name, program }) =>
    phrasesOf(text, name).flatMap((phrase) => {
      const wrong = wrongIn(phrase, program)
      return wrong === undefined ? [] : [`${name} ${phrase.join(' ')}: ${wrong}`]
    }),
  )
}

/** The words behind the name of a program, up to the end of the sentence or a comma. */
function phrasesOf(text: string, name: string): string[][] {
  const command = new RegExp(String.raw`(?:^|[^\w/.@-])${name} ([^.,;:!?()|\x60'\n]+)`, 'g')
  return [...text.matchAll(command)].map(([, words = '']) => words.trim().split(/\s+/))
}

/** Returns what is wrong with the words of a command line, or undefined. Values are not read. */
export function wrongLine(words: readonly string[], program: Command): string | undefined {
  let command = program
  let operands = 0
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    if (/^--?[a-z]/.test(word)) {
      const flag = word.replace(/=.*$/, '')
      if (/^(?:--help|-h|--version|-V)$/.test(flag)) return undefined
      const option = optionsOf(command).find(({ long, short }) => flag === long || flag === short)
      if (option === undefined) return `there is no option ${flag}`
      if (option.required === true && !word.includes('=')) index += 1
      continue
    }
    const inner = command.commands.find((one) => one.name() === word || one.aliases().includes(word))
    if (inner !== undefined && operands === 0) command = inner
    else operands += 1
  }
  if (command.commands.length > 0 && command._actionHandler == null) return 'a command is missing'
  const { registeredArguments: wanted } = command
  if (operands < wanted.filter(({ required }) => required).length) return 'an argument is missing'
  const isOpen = wanted.some(({ variadic }) => variadic)
  return operands > wanted.length && !isOpen ? 'there is an argument too many' : undefined
}

function optionsOf(command: Command): readonly Option[] {
  return command.parent ? [...command.options, ...optionsOf(command.parent)] : command.options
}

/** What msgctl does, in a sentence about it. */
const verbsOfProse = /^(?:does|reads|takes)$/

/** Walks the words of a phrase down the tree of commands. Words of prose may follow a whole command. */
function wrongIn(words: readonly string[], program: Command): string | undefined {
  let command = program
  let isPath = true
  if (verbsOfProse.test(words[0] ?? '')) return undefined
  for (const word of words) {
    // An expression of the source may be any words.
    if (word.includes('…')) return undefined
    if (/^--?[a-z]/.test(word)) {
      const flag = word.replace(/=.*$/, '')
      const isKnown = optionsOf(command).some(({ long, short }) => flag === long || flag === short)
      if (!isKnown && !/^(--help|-h|--version|-V)$/.test(flag)) return `there is no option ${flag}`
    } else if (isPath && command.commands.length > 0) {
      const inner = command.commands.find((one) => one.name() === word || one.aliases().includes(word))
      if (inner) command = inner
      // A noun may act by itself, and its argument is no command.
      else if (command !== program && command.registeredArguments.length > 0) isPath = false
      else return /^[a-z]/.test(word) || command === program ? `there is no command ${word}` : undefined
    } else isPath = false
  }
  return undefined
}
