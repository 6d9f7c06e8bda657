import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { connectingPlaces } from './connecting-places.ts'
import { strayConnections } from './connections.ts'
import { slowText } from './expression-steps.ts'
import { slowExpressions } from './expressions.ts'
import { readGatewayHost, readSources, type Source, sourceOf } from './sources.ts'
import { foreignSql } from './sql-texts.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const sources = [...readSources(root), ...readGatewayHost(root)]

/** A store with this text, a caller of it, and the real `rows`. */
function withStore(store: string, caller: string): Source[] {
  const db = sources.filter(({ file }) => file === 'packages/server/src/platform/db/db.ts')
  const begin = `import { rows } from '../db/db.ts'\n`
  return [
    ...db,
    sourceOf('packages/server/src/webhook/new-store.ts', begin + store),
    sourceOf('packages/server/src/webhook/caller.ts', `import { list } from './new-store.ts'\n${caller}`),
  ]
}

describe('regular expressions', () => {
  it('take linear time in the product', () => {
    expect(slowExpressions(sources)).toEqual([])
  })

  it.each([
    ['begins at every place of a run', /\s+$/],
    ['begins at every place of a run, except at the start', /^[\s.]+|[\s.]+$/g],
    ['reads to the end from every mark', /!\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g],
    ['reads to the end from every tag', /<\/?[a-z!][^>]*>/gi],
    ['reads to the end from every comment', /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*\w+: route\(\s*endpoints\.(\w+)\.(\w+)/g],
    ['reads to the end, lazily', /<!--[\s\S]*?-->/],
    ['reads on after a match', /a(?:.*x)?/g],
    ['divides one run among two loops', /^([\w-]+):\s*(.*)$/],
    ['divides one run in every way', /^(?:a+)+$/],
    ['has two ways to read the same', /^(?:a|aa)*$/],
    ['looks ahead to the end', /(?=(a*))\1b/],
    ['looks back to the start', /(?<=xa*)/g],
    ['repeats a group', /(a*)\1b/],
    ['has many rounds in two bounded loops', /\w{1,255}@\w{1,255}/],
    ['divides one run in every way, in few rounds', /^(?:\d{1,2}){1,150}x/],
    ['divides one run in every way, in a few long rounds', /(?:\d{1,50}){1,6}x/],
    ['repeats letters of another script', /^(?:\p{Script=Thai}+)+$/u],
    ['repeats a class with a property', /^(?:[\p{Script=Thai}]+)+$/u],
  ])('are recognized as slow: %s', (_why, { source, flags }) => {
    expect(slowText(source, flags)).toBeDefined()
  })

  it.each([
    /^\s+$/,
    /(?<!\s)\s+$/,
    /\s+/g,
    /^(?:a|b)*$/,
    /^"(?:[^"\\]|\\.)*"/,
    /^[\w.+-]{1,60}\/[\w.+-]{1,80}(?:\s*;\s*[\w-]+=[\w.+-]+)*$/,
    /filename="([^"]*)"|filename=([^;]*)/i,
    /[\s\S]*$/,
    /^.*$/m,
    /\w{1,60}@/,
  ])('are recognized as linear: %s', ({ source, flags }) => {
    expect(slowText(source, flags)).toBeUndefined()
  })

  it.each([
    [
      'of a literal',
      String.raw`const trimmed = text.replace(/\s+$/, '')`,
      'cli/src/a.ts:1 takes more than linear time',
    ],
    ['of a text', String.raw`const end = new RegExp('\\s+$')`, 'cli/src/a.ts:1 takes more than linear time'],
    [
      'of a template',
      `const end = RegExp(String.raw\`(?:x{2,\${most}}|\\s)+$\`, "u")`,
      'cli/src/a.ts:1 takes more than linear',
    ],
    [
      'of constants',
      `const all = ['a', String.raw\`\\s+$\`].join('|')\nconst end = new RegExp(\`(?:\${all})\`)`,
      'cli/src/a.ts:2 takes more than linear',
    ],
    ['that is not in the source', 'const end = new RegExp(text)', 'cli/src/a.ts:1: write the text'],
    [
      'that a method makes of a text',
      'export const has = (text, q) => text.match(q)',
      'cli/src/a.ts:1: write the text',
    ],
    [
      'that a method makes of a literal',
      String.raw`text.search('\\s+$')`,
      'cli/src/a.ts:1 takes more than linear time',
    ],
    ['of a renamed constructor', 'const make = RegExp', 'cli/src/a.ts:1: write the text'],
    ['that is inserted', `const end = new RegExp(\`^\${text}$\`)`, 'cli/src/a.ts:1: write the text'],
  ])('are found in a file: one %s', (_what, text, found) => {
    expect(slowExpressions([sourceOf('packages/cli/src/a.ts', text)])).toEqual([expect.stringContaining(found)])
  })

  it.each([
    'text.match(/a/g)',
    'const word = /a/\ntext.matchAll(word)',
    'const find = (text: string, word: RegExp) => text.match(word)',
    "import { word } from './words.ts'\ntext.matchAll(word)",
    'api.search({ search })',
    'let word: RegExp\nword instanceof RegExp',
  ])('may be given: %s', (text) => {
    expect(slowExpressions([sourceOf('packages/cli/src/a.ts', text)])).toEqual([])
  })

  it('have no exception that nothing needs', () => {
    const allowed = {
      file: 'packages/server/src/ai-clients/mcp/clean-text.ts',
      pattern: 'a+$',
      why: 'the limit of a text',
    }
    const planted = (text: string) => slowExpressions([sourceOf(allowed.file, text)], [allowed])
    expect(planted('export const end = /a+$/')).toEqual([])
    const found = planted('')
    expect(found).toContainEqual(expect.stringContaining('remove the exception'))
  })
})

describe('SQL', () => {
  it('consists of texts that stand in our source', () => {
    expect(foreignSql(sources)).toEqual([])
  })

  it.each([
    [
      'a value of a caller',
      `export const list = (db, name) => rows(db, \`select 1 from webhooks where name = '\${name}'\`)`,
      'export const handler = ({ query }, { db }) => list(db, query.name)',
      'query (packages/server/src/webhook/caller.ts:2)',
    ],
    [
      'columns of a file',
      `export const list = (db, { columns }) => rows(db, \`insert into a (\${columns.join()}) values (:a)\`)`,
      'export const read = (db, line) => list(db, JSON.parse(line))',
      'JSON.parse() (packages/server/src/webhook/caller.ts:2)',
    ],
    [
      'one part of an object',
      `export const list = (db, { table, by }) => rows(db, \`select 1 from \${table} where \${by ?? "true"}\`)`,
      'export const read = (db, by) => list(db, { table: "webhooks", by })\n' +
        'export const all = (db) => read(db, db.name)',
      'db (packages/server/src/webhook/caller.ts:3)',
    ],
    [
      'what is added later',
      "export function list(db, filter) {\n  let sql = 'select 1'\n  if (filter) sql += filter\n" +
        '  return rows(db, sql)\n}',
      'export const read = ({ body }, db) => list(db, body)',
      'body',
    ],
    [
      'conditions of a list',
      `export function list(db, names) {\n  const all = []\n  for (const name of names) all.push(\`\${name} = 1\`)\n` +
        `  return rows(db, \`select 1 where \${all.map((one) => \`(\${one})\`).join(' and ')}\`)\n}`,
      'export const read = (db, { names }) => list(db, Object.keys(names))\nconst use = read',
      'names',
    ],
    [
      'what another statement read',
      "export async function list(db) {\n  const found = await rows(db, 'select name from a')\n" +
        `  return rows(db, found.map(({ name }) => \`select 1 from \${name}\`).join())\n}`,
      'export const read = (db) => list(db)',
      'rows() (packages/server/src/webhook/new-store.ts:3)',
    ],
    [
      'the text of any caller',
      'export const list = (db, sql) => db.raw(sql)',
      'export const read = { list }',
      'sql (packages/server/src/webhook/new-store.ts:2)',
    ],
  ])('is refused with %s', (_what, store, caller, part) => {
    expect(foreignSql(withStore(store, caller))).toEqual([expect.stringContaining(`runs SQL that contains ${part}`)])
  })

  it.each([
    [
      'renamed',
      "import { rows as execute } from '../db/db.ts'\nexport const list = (db, sql) => execute(db, sql)",
      'sql',
    ],
    [
      'of a module',
      "import * as database from '../db/db.ts'\nexport const list = (db, sql) => database.rows(db, sql)",
      'sql',
    ],
    ['named by a text', "export const list = (db, sql) => db['raw'](sql)", 'sql'],
    ['as a value', 'export const list = (...all) => rows.call(null, ...all)', 'rows'],
    ['under another name', 'const run = rows\nexport const list = (db, sql) => run(db, sql)', 'rows'],
    ['of a method, as a value', 'export const list = (db, sql) => db.raw.apply(db, [sql])', 'db.raw'],
  ])('is found where the function that runs it is %s', (_what, store, part) => {
    const found = foreignSql(withStore(store, 'export const read = { list }'))
    expect(found).toEqual([expect.stringMatching(new RegExp(` (?:contains|gives away) ${part}\\b`))])
  })

  it.each([
    `export const find = (pool, name) => pool.query(\`select 1 from \${name}\`)`,
    `export const find = (pool, name) => pool.query({ text: \`select 1 from \${name}\`, values: [1] })`,
    `class Vault {\n  find(name) {\n    return this.#read({ text: \`select 1 from \${name}\`, values: [1] })\n  }\n}`,
  ])('of the gateway host is read too: %s', (text) => {
    const source = { ...sourceOf('gateway-host/src/number/a.ts', text), pack: 'gateway-host' }
    expect(foreignSql([source])).toEqual([expect.stringContaining('runs SQL that contains name')])
  })

  it('may be composed of what stands in the source', () => {
    const store = `
      const columns = ['a', 'b'] as const
      const conditions = { open: 'a > 0', closed: 'a = 0' } as const
      const sums = columns.map((column) => \`sum(\${column}) as \${camel(column)}\`).join(', ')
      const camel = (name: string) => name.replace(/_(\\w)/g, (_, letter: string) => letter.toUpperCase())
      const newest = (limit: string) => \`order by id desc limit \${limit}\`
      export function list(db: Db, state: keyof typeof conditions, { lock = false, most = 10 }, order: string) {
        const parts = [sums]
        for (const [name, text] of Object.entries(conditions)) parts.push(\`\${text} as \${name}\`)
        const sql = \`select \${parts.join()} from a
          where \${conditions[state]} \${newest(':limit')} offset \${most * 2}\`
        return rows(db, \`\${sql} \${order} \${lock ? 'for update' : ''}\`, { limit: 1 })
      }`
    const caller = `
      import { orders } from './orders.ts'
      export const open = (db, query) => list(db, query.state, { lock: query.lock }, orders.newest)
      export const closed = (db, query) => list(db, query.state, {}, query.isOld ? orders.oldest : '')`
    const orders = `export const orders = { newest: 'order by a desc', oldest: 'order by a' }`
    const all = [...withStore(store, caller), sourceOf('packages/server/src/webhook/orders.ts', orders)]
    expect(foreignSql(all)).toEqual([])
  })

  it('has no exception that nothing needs', () => {
    const found = foreignSql([sourceOf('packages/server/src/platform/db/migrate.ts', '')])
    expect(found).toContainEqual(expect.stringContaining('remove the exception'))
  })
})

describe('connections', () => {
  it('are opened in the named places only', () => {
    expect(strayConnections(sources)).toEqual([])
  })

  it('have places that exist, with tests that exist', () => {
    const files = sources.map(({ file }) => file)
    const canaries = Object.values(connectingPlaces).flatMap(({ canary }) => canary ?? [])
    expect(canaries).not.toEqual([])
    expect(files).toEqual(expect.arrayContaining([...Object.keys(connectingPlaces), ...canaries]))
  })

  it.each([
    ['the global', "await fetch('http://127.0.0.1/')", 'fetch'],
    ['the global as a value', 'const options = { fetch }', 'fetch'],
    ['the global object', 'const { fetch: get } = globalThis', 'globalThis'],
    ['a socket', 'new WebSocket(url)', 'WebSocket'],
    ['a request', "import { request } from 'node:http'", 'request of node:http'],
    ['a whole module', "import https from 'node:https'", 'default of node:https'],
    ['a module loaded late', "const { connect } = await import('node:net')", '* of node:net'],
    ['a library', "import { Agent } from 'undici'", 'Agent of undici'],
    ['a download of a library', "import { downloadMediaMessage } from 'baileys'", 'downloadMediaMessage of baileys'],
    ['a program', "import { spawn } from 'node:child_process'", 'spawn of node:child_process'],
    ['another way to load a module', "import { createRequire } from 'node:module'", 'createRequire of node:module'],
    ['a module of Node itself', "const { connect } = process.getBuiltinModule('node:net')", 'getBuiltinModule'],
    ['an export', "export { fetch } from 'undici'", '* of undici'],
  ])('are found: %s', (_what, text, what) => {
    const found = strayConnections([sourceOf('packages/server/src/webhook/a.ts', text)])
    expect(found).toEqual([expect.stringContaining(`packages/server/src/webhook/a.ts:1 connects by ${what}`)])
  })

  it.each([
    ['types', "import type { Agent } from 'undici'\nimport { type Socket, isIP } from 'node:net'\nlet a: typeof fetch"],
    ['a function that is given', 'export const read = ({ fetch }: Context) => fetch(url)'],
    ['a method', 'handler.fetch(request)'],
    ['a server', "import { createServer } from 'node:http'"],
  ])('are not %s', (_what, text) => {
    expect(strayConnections([sourceOf('packages/server/src/webhook/a.ts', text)])).toEqual([])
  })

  it.each([
    ["import got from 'got'", 'got'],
    ['await import(name)', 'what is computed'],
  ])('are known of every module that is loaded: %s', (text, what) => {
    const found = strayConnections([sourceOf('packages/server/src/webhook/a.ts', text)])
    expect(found).toEqual([expect.stringContaining(`loads ${what}: say in test/connections.ts`)])
  })

  it('are opened in a named place only by what it names', () => {
    const file = 'gateway-host/src/engine/baileys/files.ts'
    const text = "import { downloadContentFromMessage, prepareWAMessageMedia } from 'baileys'"
    const found = strayConnections([sourceOf(file, text)])
    expect(found).toEqual([expect.stringContaining('connects by downloadContentFromMessage of baileys')])
  })

  it('have no place without a connection', () => {
    const found = strayConnections([sourceOf('packages/server/src/platform/mail/smtp.ts', '')])
    expect(found).toEqual([expect.stringContaining('remove it from test/connecting-places.ts')])
  })
})
