// Writes docs/msgctl.md, the reference of every command, from the program itself; run it after a build.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const file = path.join(import.meta.dirname, '../../../docs/msgctl.md')

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

The reference of every command, made from the program by \`node packages/cli/scripts/reference.mjs\`.
[packages/cli/README.md](../packages/cli/README.md) tells how the parts belong together.

## Where it looks

The first of these that speaks decides. It gives the address and the key together, except that a key of the environment
without an address goes where \`--base-url\` says.

1. the options \`--profile\` and \`--base-url\`
2. the environment: \`MSG_API_KEY\` with \`MSG_BASE_URL\` (or with a typed \`--base-url\`), or \`MSG_PROFILE\`
3. the nearest \`.msgctl.json\` from the working folder upward
4. the current profile in \`$XDG_CONFIG_HOME/msgctl/config.json\`, which \`msgctl login\` writes

\`msgctl config explain\` shows what was found, and where. A key never comes from an option, and a stored one goes only to
the host it was stored for. A \`.msgctl.json\` that may not be used ends the command, unless an option or the environment
decides. \`NO_COLOR\` and \`TERM=dumb\` are respected.
`

/** Text in a cell of a table. */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

function table(head, rows) {
  if (rows.length === 0) return ''
  const line = (cells) => `| ${cells.join(' | ')} |\n`
  return `${line(head)}${line(head.map(() => '---'))}${rows.map((row) => line(row.map(cell))).join('')}\n`
}

function optionRow({ flags, description, argChoices, defaultValue }) {
  const choices = argChoices ? ` (${argChoices.join(', ')})` : ''
  const isPlain = typeof defaultValue === 'string' || typeof defaultValue === 'number'
  return [`\`${flags}\``, `${description}${choices}${isPlain ? `; default ${defaultValue}` : ''}`]
}

function optionTable(command) {
  const options = command.options.filter(({ hidden, long }) => !hidden && long !== '--version')
  return table(['option', 'what it does'], options.map(optionRow))
}

/** What the help of a command says behind its options: examples and exit codes. */
function afterOf(command) {
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

const visible = (command) =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help')

function sentence(text) {
  return text === '' ? '' : `${text[0].toUpperCase()}${text.slice(1)}.\n\n`
}

/** A command and everything below it. */
function sections(command, words, depth) {
  const inner = visible(command)
  const name = [...words, command.name()].join(' ')
  const usage = inner.length > 0 && command.registeredArguments.length === 0 ? '' : ` ${command.usage()}`
  const arguments_ = command.registeredArguments
    .filter(({ description, argChoices }) => description || argChoices)
    .map(({ description, argChoices, ...argument }) => [
      `\`${argument._name}\``,
      [description, argChoices?.join(', ')].filter(Boolean).join(': '),
    ])
  return [
    `${'#'.repeat(depth)} ${name}\n\n`,
    sentence(command.description()),
    usage === '' ? '' : `\`${name}${usage}\`\n\n`,
    table(['argument', 'what it is'], arguments_),
    optionTable(command),
    afterOf(command),
    ...inner.map((each) => sections(each, [...words, command.name()], Math.min(depth + 1, 6))),
  ].join('')
}

function exitCodeTable(exitCodes, errorTable) {
  const rows = Object.entries(exitCodes).map(([name, code]) => {
    const errors = Object.entries(errorTable).filter(([, { exit }]) => exit === name)
    return [String(code), meanings[name] ?? name, errors.map(([error]) => error).join(', ')]
  })
  return table(['exit code', 'meaning', 'errors of the API'], rows)
}

/** The whole reference as Markdown. */
export function referenceOf({ root, exitCodes, errorTable }) {
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

/** The program of the compiled files, whole. */
async function compiled() {
  const [{ entries }, { createProgram }, { exitCodes }, { errorTable }] = await Promise.all([
    import('../dist/entries.js'),
    import('../dist/program.js'),
    import('../dist/exit-codes.js'),
    import('@msgctl/contract/error-table'),
  ])
  const loaded = new Map(await Promise.all(entries.map(async (entry) => [entry.name, await entry.load()])))
  return { root: createProgram(entries, loaded).root, exitCodes, errorTable }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeFileSync(file, referenceOf(await compiled()))
