import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { operatorCommands } from '../packages/server/src/process/operator-commands.ts'
// @ts-expect-error: a script, whose types this project does not read.
import { proofs } from '../tools/proofs/proofs.mjs'
import { commandOf, wrongLine } from './advice.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

const packages = readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}`)
const pages = ['README.md', 'CONTRIBUTING.md', 'docs', 'examples', 'deploy', ...packages]
  .flatMap((name) =>
    name.endsWith('.md')
      ? [name]
      : readdirSync(path.join(root, name), { recursive: true, encoding: 'utf8' }).map((file) => `${name}/${file}`),
  )
  .filter((file) => file.endsWith('.md') && !/node_modules|CHANGELOG/.test(file))

/** A piece of code on a page: a line of a block, or what stands between backticks in a sentence. */
interface Code {
  readonly file: string
  readonly text: string
  readonly isBlock: boolean
}

function codeOf(file: string): Code[] {
  const page = read(file).replaceAll(/\\\n\s*/g, ' ')
  const fence = /^ *```[\s\S]*?^ *```/gm
  const blocks = [...(page.match(fence) ?? []), ...(page.replace(fence, '').match(/^ {4}\S.*$/gm) ?? [])]
  const inline = [...page.replace(fence, '').matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text)
  return [
    ...blocks.flatMap((block) => block.split('\n')).map((text) => ({ file, text, isBlock: true })),
    ...inline.map((text) => ({ file, text, isBlock: false })),
  ]
}

const code = pages.flatMap(codeOf)

/** Splits a command line at blanks outside of quotes. What a shell does with the rest of the line is left out. */
function wordsOf(line: string): string[] {
  const [own = ''] = line.split(/ (?:\||&&|;|#|<(?= )|>(?= )|2>)|\)"?$/)
  return own.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []
}

const operator = /(?:^|[\s;(/])(?:msgctl-server(?:\.mjs)?|msgctl_server|msgctl_in_cluster) +([a-z].*)$/
const operatorLines = code.flatMap(({ file, text, isBlock }) => {
  const [, line] = operator.exec(text.replace(/ +#.*$/, '')) ?? []
  return line === undefined ? [] : [{ file, line, isBlock }]
})
const scriptLines = code.flatMap(({ file, text }) => {
  const [line] = /npm run [a-z].*$/.exec(text.replace(/ +#.*$/, '')) ?? []
  return line === undefined ? [] : [[file, line] as const]
})

const server = commandOf('msgctl-server', [commandOf('serve'), commandOf('migrate'), ...operatorCommands()])
const scriptsOf = (folder: string) =>
  Object.keys((JSON.parse(read(path.join(folder, 'package.json'))) as { scripts?: object }).scripts ?? {})
const scripts = new Set(['.', ...packages].flatMap(scriptsOf))
const gatewayTasks = [...read('tools/scripts/gateway.mjs').matchAll(/^ {2}([a-z]+) [ <[]/gm)].map(([, task]) => task)
const releaseTasks = [...read('tools/release/release.mjs').matchAll(/^ {2}(?:async )?([a-z]+)(?::|\()/gm)].map(
  ([, task]) => task,
)
const namedProofs: readonly { readonly name: string }[] = proofs
/** What the word behind `--` may be, for the scripts that choose by it. */
const tasks: Readonly<Record<string, readonly (string | undefined)[]>> = {
  proof: [...namedProofs.map(({ name }) => name), 'NAME', '<name>'],
  gateway: gatewayTasks,
  release: releaseTasks,
  fake: ['waha'],
}

function wrongScript(line: string): string | undefined {
  const [, , script = '', dashes, task] = wordsOf(line)
  if (!scripts.has(script)) return `there is no script ${script}`
  const known = tasks[script]
  if (dashes !== '--' || known === undefined || task === undefined) return undefined
  return known.includes(task) ? undefined : `npm run ${script} has no ${task}`
}

describe('the lines of operators on all pages', () => {
  it('are found', () => {
    expect(operatorLines.length).toBeGreaterThan(60)
    expect(scriptLines.length).toBeGreaterThan(90)
  })

  it('are lines of msgctl-server', () => {
    const wrong = operatorLines.flatMap(({ file, line, isBlock }) => {
      const words = wordsOf(line)
      const found = wrongLine(words, server)
      // A sentence may name a command without its arguments.
      const isName = !isBlock && /missing$/.test(found ?? '') && wrongLine([...words, '--help'], server) === undefined
      return found === undefined || isName ? [] : [`${file}: ${line}: ${found}`]
    })
    expect(wrong).toEqual([])
  })

  it('are scripts of the repository, with a task that there is', () => {
    const wrong = scriptLines.flatMap(([file, line]) => {
      const found = wrongScript(line)
      return found === undefined ? [] : [`${file}: ${line}: ${found}`]
    })
    expect(wrong).toEqual([])
  })

  it.each([
    ['org lists', 'a command is missing'],
    ['org show', 'an argument is missing'],
    ['org show ID more', 'there is an argument too many'],
    ['org list --all', 'there is no option --all'],
    ['waha add http://waha:3000 --capacity 50', undefined],
  ])('would be refused as msgctl-server %s', (line, wrong) => {
    expect(wrongLine(wordsOf(line), server)).toBe(wrong)
  })

  it.each([
    ['npm run nosuch', 'there is no script nosuch'],
    ['npm run proof -- nosuch', 'npm run proof has no nosuch'],
    ['npm run gateway -- nosuch', 'npm run gateway has no nosuch'],
    ['npm run proof -- deploy', undefined],
  ])('would be refused as %s', (line, wrong) => {
    expect(wrongScript(line)).toBe(wrong)
  })
})
