// Writes docs/use/msgctl.md, the reference of every command, from the program itself; run it after a build.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** @import { Command, Option } from 'commander' */

/** @typedef {Record<string, number>} ExitCodes */
/** @typedef {Record<string, { exit: string }>} ErrorTable */

const file = path.join(import.meta.dirname, '../../../docs/use/msgctl.md')

/** @type {Record<string, string>} */
const meanings = {
  ok: 'success',
  unexpected: 'unexpected error',
  usage: 'usage error, or invalid input',
  notFound: 'not found',
  auth: 'not authenticated',
  forbidden: 'not allowed',
  quota: 'rate limit or quota exceeded',
  conflict: 'not allowed in the current state',
  down: 'service or network not available',
  partlyDone: 'partly done',
  outcomeUnknown: 'outcome unknown: the change may have been made',
  waitFailed: 'the awaited operation failed',
  waitTimedOut: 'timed out, or the stream ended before the awaited state was reached',
  interrupted: 'interrupted with Ctrl-C',
}

const introduction = `# msgctl

The reference of all commands, generated from the program by \`npm run generate\` in \`packages/cli\`.
[packages/cli/README.md](../../packages/cli/README.md) is the introduction.

## Configuration precedence

The first source that is set wins. It provides both the address and the key. One exception: a key of the environment
without \`MSG_BASE_URL\` is sent to the address in \`--base-url\`.

1. the options \`--profile\` and \`--base-url\`
2. the environment: \`MSG_API_KEY\` with \`MSG_BASE_URL\` (or with \`--base-url\`), or \`MSG_PROFILE\`
3. the nearest \`.msgctl.json\` from the working directory upward
4. the current profile in \`$XDG_CONFIG_HOME/msgctl/config.json\`, which \`msgctl login\` writes

\`msgctl config explain\` shows every source and the result. No option accepts a key, and a stored key is sent only to
the host it was stored for. An unusable \`.msgctl.json\` is an error, unless an option or the environment selects
another source.

\`msgctl sim\` needs the token of the simulator controls: \`MSG_SIM_TOKEN\`, or the token that the quick start wrote to
\`.msgctl.json\`. \`NO_COLOR\` and \`TERM=dumb\` are respected.
`

/**
 * Escapes text for a table cell.
 *
 * @param {string} text
 */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/**
 * @param {string[]} head
 * @param {string[][]} rows
 */
function table(head, rows) {
  if (rows.length === 0) return ''
  /** @param {string[]} cells */
  const line = (cells) => `| ${cells.join(' | ')} |\n`
  return `${line(head)}${line(head.map(() => '---'))}${rows.map((row) => line(row.map(cell))).join('')}\n`
}

/** @param {Option} option */
function optionRow({ flags, description, argChoices, defaultValue }) {
  const choices = argChoices ? ` (${argChoices.join(', ')})` : ''
  const isPlain = typeof defaultValue === 'string' || typeof defaultValue === 'number'
  return [`\`${flags}\``, `${description}${choices}${isPlain ? ` (default: ${defaultValue})` : ''}`]
}

/** @param {Command} command */
function optionTable(command) {
  const options = command.options.filter(({ hidden, long }) => !hidden && long !== '--version')
  return table(['option', 'description'], options.map(optionRow))
}

/**
 * Returns the examples and exit codes in the help of a command.
 *
 * @param {Command} command
 */
function helpAfterOptions(command) {
  let all = ''
  command.configureOutput({ writeOut: (text) => (all += text), getOutHelpWidth: () => 120 }).outputHelp()
  const help = command.helpInformation()
  const after = all.slice(all.indexOf(help) + help.length).trim()
  const examples = [...after.matchAll(/^ {2}\$ (.*)$/gm)].map((match) => match[1])
  const notes = after
    .split('\n')
    .filter((line) => !/^( {2}\$ |Examples:)/.test(line) && line.trim() !== '')
    .join('\n\n')
  return `${examples.length > 0 ? `    ${examples.join('\n    ')}\n\n` : ''}${notes === '' ? '' : `${notes}\n\n`}`
}

/** @param {Command} command */
const visible = (command) =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help')

/** @param {string} text */
function sentence(text) {
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.\n\n`
}

/**
 * Returns the sections of a command and its subcommands.
 *
 * @param {Command} command
 * @param {string[]} words
 * @param {number} depth
 * @returns {string}
 */
function sections(command, words, depth) {
  const inner = visible(command)
  const name = [...words, command.name()].join(' ')
  const usage = inner.length > 0 && command.registeredArguments.length === 0 ? '' : ` ${command.usage()}`
  const arguments_ = command.registeredArguments
    .filter(({ description, argChoices }) => description || argChoices)
    .map((argument) => [
      `\`${argument.name()}\``,
      [argument.description, argument.argChoices?.join(', ')].filter(Boolean).join(': '),
    ])
  return [
    `${'#'.repeat(depth)} ${name}\n\n`,
    sentence(command.description()),
    usage === '' ? '' : `\`${name}${usage}\`\n\n`,
    table(['argument', 'description'], arguments_),
    optionTable(command),
    helpAfterOptions(command),
    ...inner.map((each) => sections(each, [...words, command.name()], Math.min(depth + 1, 6))),
  ].join('')
}

/**
 * @param {ExitCodes} exitCodes
 * @param {ErrorTable} errorTable
 */
function exitCodeTable(exitCodes, errorTable) {
  const rows = Object.entries(exitCodes).map(([name, code]) => {
    const errors = Object.entries(errorTable).filter(([, { exit }]) => exit === name)
    return [String(code), meanings[name] ?? name, errors.map(([error]) => error).join(', ')]
  })
  return table(['exit code', 'meaning', 'API errors'], rows)
}

/**
 * Returns the reference as Markdown.
 *
 * @param {{ root: Command, exitCodes: ExitCodes, errorTable: ErrorTable }} program
 */
export function renderReference({ root, exitCodes, errorTable }) {
  return [
    introduction,
    '\n## Options of every command\n\n',
    optionTable(root),
    '## Exit codes\n\n',
    exitCodeTable(exitCodes, errorTable),
    ...visible(root).map((command) => sections(command, ['msgctl'], 2)),
  ]
    .join('')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\n+$/, '\n')
}

/** Loads the complete program from the compiled files. */
async function compiled() {
  const [{ commandRegistry }, { createProgram, loadCommands }, { exitCodes }, { errorTable }] = await Promise.all([
    import('../dist/command-registry.js'),
    import('../dist/program.js'),
    import('../dist/errors/exit-codes.js'),
    import('@msgctl/contract/error-table'),
  ])
  const loaded = await loadCommands(commandRegistry)
  return { root: createProgram(commandRegistry, loaded).root, exitCodes, errorTable }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(file, renderReference(await compiled()))
