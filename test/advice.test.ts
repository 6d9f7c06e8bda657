import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { contract, type Route } from '@msgctl/contract'
import { openApiDocument } from '@msgctl/contract/openapi'
import { describe, expect, it } from 'vitest'
import { commandRegistry } from '../packages/cli/src/command-registry.ts'
import { fieldPhrases, inOwnWords, routeCommands } from '../packages/cli/src/errors/own-words.ts'
import { createProgram, loadCommands } from '../packages/cli/src/program.ts'
import { operatorCommands } from '../packages/server/src/process/operator-commands.ts'
import { commandOf, type Named, type Text, textsIn, wrongCommands } from './advice.ts'
import { readSources } from './sources.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const product = readSources(root).filter(({ forTests }) => !forTests)
const textsOf = (pack: string, folder = '') =>
  product.filter((source) => source.pack === pack && source.local.startsWith(folder)).flatMap(textsIn)

const server = commandOf('msgctl-server', [commandOf('serve'), commandOf('migrate'), ...operatorCommands()])
const programs: readonly Named[] = [
  { name: 'msgctl', program: createProgram(commandRegistry, await loadCommands(commandRegistry)).root },
  { name: 'msgctl-server', program: server },
]

const route = /\b(?:GET|POST|PUT|PATCH|DELETE) \/[\w/:-]+/g
const routes = new Set(
  Object.values<Record<string, Route>>(contract).flatMap((named) =>
    Object.values(named).map(({ endpoint }) => endpoint),
  ),
)

/** What the server calls its connections to the database, and the purposes of derived keys. No commands. */
const ownNames: ReadonlySet<string> = new Set([
  'msgctl check',
  'msgctl fingerprint',
  'msgctl jobs',
  'msgctl migrate',
  'msgctl move',
  'msgctl move receipt',
  'msgctl one-time codes',
  'msgctl organization 2 … …\n',
  'msgctl setup',
  'msgctl start',
  'msgctl wake',
])

/** Returns what a list of texts names wrongly, with the place of each. */
function wrongIn(texts: readonly Text[], check: (text: string) => readonly string[]): string[] {
  return texts.flatMap(({ place, text }) => check(text).map((wrong) => `${place}: ${wrong}`))
}

describe('advice in a text of the product', () => {
  it('names commands and options that exist', () => {
    // A script for a shell.
    const scripts = textsOf('cli').filter(({ place }) => !place.includes('/completion.ts'))
    const ofServer = textsOf('server')
    const texts = [...scripts, ...ofServer.filter(({ text }) => !ownNames.has(text))]
    expect([...ownNames].filter((name) => ofServer.every(({ text }) => text !== name))).toEqual([])
    expect(texts.filter(({ text }) => text.includes('msgctl ')).length).toBeGreaterThan(300)
    expect(texts.filter(({ text }) => text.includes('msgctl-server ')).length).toBeGreaterThan(30)
    expect(wrongIn(texts, (text) => wrongCommands(text, programs))).toEqual([])
  })

  it('names an operator’s command as it is typed', () => {
    const nouns = server.commands.filter(({ commands }) => commands.length > 0)
    const bare = (text: string) =>
      nouns.flatMap((noun) =>
        noun.commands
          .filter((verb) =>
            new RegExp(
              String.raw`(?<!msgctl-server )\b(?:run|see|by|until then) ${noun.name()} ${verb.name()}\b`,
              'i',
            ).test(text),
          )
          .map((verb) => `${noun.name()} ${verb.name()} without msgctl-server`),
      )
    expect(wrongIn([...textsOf('server', 'process/'), ...textsOf('server', 'upkeep/')], bare)).toEqual([])
    expect(bare('Export it, or run org cancel-move.')).toEqual(['org cancel-move without msgctl-server'])
  })

  it('names no route in msgctl, except where a route is typed', () => {
    const typed = /\/commands\/api\/|\/errors\/own-words\.ts/
    const texts = textsOf('cli').filter(({ place }) => !typed.test(place))
    expect(wrongIn(texts, (text) => text.match(route) ?? [])).toEqual([])
  })

  it('names routes of the contract in a message of the service, and msgctl has a command for each', () => {
    const named = textsOf('server').flatMap(({ text }) =>
      // A sentence that ends with its route, as messages do.
      [
        ...text.matchAll(
          /[a-z]\. .*: ((?:GET|POST|PUT|PATCH|DELETE) \/[\w/:-]+)\.?$|: ((?:GET|POST|PUT|PATCH|DELETE) \/[\w/:-]+)\.$/g,
        ),
      ].map(([, one, other]) => one ?? other ?? ''),
    )
    expect(new Set(named).size).toBeGreaterThan(5)
    expect(named.filter((each) => !routes.has(each as Route['endpoint']))).toEqual([])
    expect([...new Set(named)].sort()).toEqual(Object.keys(routeCommands).sort())
    expect(
      wrongIn(
        Object.values(routeCommands).map((text) => ({ place: text, text })),
        (text) => wrongCommands(text, programs),
      ),
    ).toEqual([])
  })

  it('names fields of the contract in a message of the service', () => {
    const document = openApiDocument()
    const fields = new Set(JSON.stringify(document).match(/\b[a-z]+[A-Z]\w*(?=")/g))
    expect(fields.size).toBeGreaterThan(200)
    const isSentence = (text: string) => /^(?:[A-Z][^\n]* [^\n]*\.|must [^\n]*)$/.test(text)
    const named = (text: string) => (isSentence(text) ? (text.match(/(?<![\w.-])[a-z]+[A-Z]\w*\b/g) ?? []) : [])
    // Texts for AI clients name arguments of tools.
    const others = /-?store\.ts:|\/db\/|\/ai-clients\/mcp\//
    const texts = textsOf('server').filter(({ place }) => !others.test(place))
    expect(texts.flatMap(({ text }) => named(text)).length).toBeGreaterThan(10)
    expect(wrongIn(texts, (text) => named(text).filter((field) => !fields.has(field)))).toEqual([])
    expect(named('Set sendAtt again.').filter((field) => !fields.has(field))).toEqual(['sendAtt'])
  })

  it('becomes the words of msgctl there', () => {
    const messages = textsOf('server').map(({ text }) => text)
    for (const phrase of Object.keys(fieldPhrases)) {
      expect(
        messages.some((text) => text.includes(phrase)),
        phrase,
      ).toBe(true)
    }
    expect(inOwnWords('Pause it first: POST /bots/:botId/pause.')).toBe('Pause it first: msgctl bots pause.')
    expect(inOwnWords('sendAt must be in the future')).toBe('--at must be in the future')
    expect(inOwnWords('Add the value, or set strictVariables to false.')).toBe(
      'Add the value, or pass --allow-missing.',
    )
  })

  it.each([
    ['See msgctl numbers lst.', ['msgctl numbers lst: there is no command lst']],
    ['msgctl numbers relase', ['msgctl numbers relase: there is no command relase']],
    ['Run msgctl nubmers list', ['msgctl nubmers list: there is no command nubmers']],
    ['with msgctl login --e-mail you@example.com', ['msgctl login --e-mail you@example: there is no option --e-mail']],
    ['See msgctl-server org lists, or msgctl-server org list.', ['msgctl-server org lists: there is no command lists']],
    ['Run msgctl messages show … to see it.', []],
    ['The client @msgctl/client, msgctl.example.com and msgctl itself', ['msgctl itself: there is no command itself']],
  ])('is refused when it names something else: %s', (text, wrong) => {
    expect(wrongCommands(text, programs)).toEqual(wrong)
  })
})
