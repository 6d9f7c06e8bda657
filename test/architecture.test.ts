import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import * as imports from './import-rules.ts'
import { doors } from './server-rooms.ts'
import { importLines, readGatewayHost, readPrograms, readSources, sourceOf } from './sources.ts'
import * as tables from './table-rules.ts'
import * as texts from './text-rules.ts'
import { fullFolders } from './text-rules.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const sources = readSources(root)

const { hostImports, ...importRules } = imports
const { writtenTables, ...tableRules } = tables
const rules = { ...importRules, ...tableRules, ...texts }

/** What each rule is for, and a file that breaks it: a rule that finds nothing there would find nothing anywhere. */
const cases: [rule: keyof typeof rules, promise: string, file: string, text: string][] = [
  ['strayPaths', 'packages meet by their names only', 'cli/src/a.ts', `import '../../server/src/app.ts'`],
  ['foreignModules', 'each package loads only what it may', 'client/src/a.ts', `import * as z from 'zod'`],
  ['escapedModules', 'each library has its place', 'server/src/sending/alert/send.ts', `import type Koa from 'koa'`],
  [
    'testsInProduct',
    'what is there for tests stays with tests',
    'server/src/process/app.ts',
    `import '../testing/make.ts'`,
  ],
  ['upwardImports', 'the server imports downwards only', 'server/src/api/http/a.ts', `import '#sending/alert/send.ts'`],
  [
    'foreignParts',
    'drivers and webhooks are known to the process only',
    'server/src/numbers/a.ts',
    `import type { A } from '#networks/simulator/simulator.ts'`,
  ],
  ['closedDoors', 'a room is entered by its doors', 'server/src/web/a.ts', `import '#people/team/invitation-store.ts'`],
  ['unknownRooms', 'every entry of the server is a room', 'server/src/new-room/a.ts', ''],
  ['climbingImports', 'no import climbs', 'server/src/api/http/a.ts', `import '../access/key.ts'`],
  [
    'foreignWrites',
    'each table is written by its owner only',
    'server/src/events/webhook/store.ts',
    "await rows(trx, `update messages m set status = 'failed'`)",
  ],
  [
    'foreignWrites',
    'each table is written by its owner only',
    'server/src/events/webhook/store.ts',
    "await trx('messages').where({ id, at: serviceNow(trx) }).delete()",
  ],
  ['needlessExceptions', 'no exception outlives its reason', 'server/src/numbers/records/store.ts', ''],
  ['unownedTables', 'every table has an owner', 'server/src/platform/db/tables.ts', '    new_table: Table<\n'],
  [
    'schemasInPlainEntries',
    'what clients carry is free of schemas',
    'contract/src/model/states.ts',
    `import * as z from 'zod'`,
  ],
  ['namedZod', 'zod is imported whole', 'contract/src/a.ts', `import { object } from 'zod'`],
  ['longFiles', 'no file is longer than 300 lines', 'cli/src/a.ts', 'x\n'.repeat(301)],
  [
    'longFiles',
    'only a mark at the very start makes a file generated',
    'cli/src/a.ts',
    `x\n// Generated \n${'x\n'.repeat(300)}`,
  ],
  ['wideLines', 'no line is wider than 120 columns', 'cli/src/a.ts', `// ${'x'.repeat(118)}`],
  ['emptyFileNames', 'names say what a file does', 'server/src/api/http/text-utils.ts', ''],
  ['barrels', 'the server and msgctl have no barrels', 'server/src/api/http/index.ts', ''],
  [
    'forbiddenText',
    'SQL stays in its files',
    'server/src/sending/alert/send.ts',
    `  await rows<{ a: string }>(db, 'select 1')`,
  ],
  ['forbiddenText', 'the environment is read in one place', 'cli/src/a.ts', 'const home = process.env.HOME'],
  [
    'forbiddenText',
    'the error of a limit is made where it is known what the limit counts by',
    'server/src/oauth/token.ts',
    "throw new ApiError('RATE_LIMIT', 'Too often.')",
  ],
  [
    'forbiddenText',
    'access ends as a whole',
    'server/src/auth/change-password.ts',
    'await deleteTokensOfUser(trx, userId)',
  ],
  [
    'forbiddenText',
    'texts of people are compared in one form',
    'server/src/contacts/opt-out.ts',
    "if (text.trim().toLowerCase() === 'stop') return",
  ],
  ['forbiddenText', 'every test runs', 'cli/src/a.test.ts', `it.${'only'}('x', () => {})`],
  ['forbiddenText', 'nothing is left for later', 'cli/src/a.ts', `// ${'TO'}${'DO'} later`],
  [
    'forbiddenText',
    'no path of a machine stands in the product',
    'cli/src/a.ts',
    `const file = '/${'home'}/user/file'`,
  ],
  ['forbiddenText', 'exports have names', 'cli/src/a.ts', 'export default 1'],
  [
    'forbiddenText',
    'no time-out is lost to the garbage collector',
    'cli/src/a.ts',
    'const signal = AbortSignal.any([caller, AbortSignal.timeout(1000)])',
  ],
]

describe('the house', () => {
  it('was seen whole, so that no rule passes for want of files', () => {
    expect(sources.length).toBeGreaterThan(300)
    expect([...new Set(sources.map(({ pack }) => pack))].sort()).toEqual([
      'cli',
      'client',
      'console',
      'contract',
      'docs',
      'embedded-postgres',
      'network',
      'server',
      'webhook-verifier',
    ])
    expect(sources.filter(({ forTests }) => !forTests).length).toBeGreaterThan(200)
    expect(sources.flatMap((source) => source.imports).length).toBeGreaterThan(1000)
  })

  it.each(Object.keys(rules) as (keyof typeof rules)[])('holds the rule %s', (rule) => {
    expect(rules[rule](sources)).toEqual([])
  })
})

describe('the gateway host', () => {
  const host = readGatewayHost(root)

  it('was seen whole', () => {
    expect(host.map(({ file }) => file)).toContain('gateway-host/test/network/network.ts')
  })

  it.each(Object.keys(texts) as (keyof typeof texts)[])('holds the rule %s', (rule) => {
    expect(rules[rule](host)).toEqual([])
  })

  it('speaks to the rest through the port', () => {
    expect(hostImports(host)).toEqual([])
    for (const module of ['@msgctl/server/platform/db/db', '../../packages/server/src/platform/db/db.ts'])
      expect(hostImports([sourceOf('gateway-host/src/a.ts', `import '${module}'`)])).toHaveLength(1)
    expect(hostImports([sourceOf('gateway-host/src/a.ts', `import '@msgctl/network/gateway'`)])).toEqual([])
  })
})

describe('the other programs', () => {
  const programs = readPrograms(root)

  it('were seen whole', () => {
    const files = programs.map(({ file }) => file)
    expect(files).toEqual(expect.arrayContaining(['tools/bench/drain.bench.mjs', 'packages/cli/scripts/bundle.mjs']))
  })

  it.each(['longFiles', 'wideLines', 'emptyFileNames', 'fullFolders'] as const)('hold the rule %s', (rule) => {
    expect(rules[rule](programs)).toEqual([])
  })
})

describe('the rules', () => {
  it('fullFolders: a folder has at most 25 source files, tests aside', () => {
    const inFolder = (count: number, ending = '.ts') =>
      Array.from({ length: count }, (_, n) => sourceOf(`packages/cli/src/full/file-${n}${ending}`, ''))
    expect(fullFolders([...inFolder(25), ...inFolder(40, '.test.ts')])).toEqual([])
    expect(fullFolders(inFolder(26))).toEqual(['packages/cli/src/full has 26 source files; 25 are the limit'])
    const forTests = inFolder(26).map(({ text }, n) => sourceOf(`gateway-host/test/network/file-${n}.ts`, text))
    expect(fullFolders(forTests)).toEqual(['gateway-host/test/network has 26 source files; 25 are the limit'])
  })

  it.each(cases)('%s: %s', (rule, _promise, local, text) => {
    const file = `packages/${local}`
    const others = sources.filter((source) => source.file !== file)
    const planted = sourceOf(file, text)
    expect(
      rules[rule]([...others, planted]).filter((found) => found.includes(file.replace(/\/[^/]+$/, ''))),
    ).not.toEqual([])
  })

  it('unusedDoors: a door that no other room uses is closed', () => {
    expect(imports.unusedDoors([])).toHaveLength(Object.values(doors).flat().length)
  })

  it('read every form of write', () => {
    const text = `
      rows(trx, \`with gone as (delete from chats c returning 1), kept as (
        insert into contacts (id) values (:id) on conflict (id) do update set id = excluded.id
      ) update lanes set open = true\`)
      trx('webhooks')
        .insert({ organization_id: organizationId, at: serviceNow(trx) })
      trx<Row>('reminders').where('id', f(g(id))).update({ status })
      trx('users').where({ id }).select('name')
      rows(trx, 'select 1 from messages for update')`
    expect(writtenTables(text).sort()).toEqual(['chats', 'contacts', 'lanes', 'reminders', 'webhooks'])
  })

  it('read every form of import', () => {
    const text = [
      `import a from 'a'`,
      `import type { B } from './b.ts'`,
      `import {\n  c,\n  type D,\n} from '../c.ts'`,
      `import * as e from 'e'`,
      `import 'f'`,
      `export * from './g.ts'`,
      `export type { H } from 'h'`,
      `const i = await import('i')`,
      `const text = 'no import'`,
      `export const from = 'nowhere'`,
    ].join('\n')
    expect(importLines({ file: 'packages/x/src/y/z.ts', text })).toEqual([
      { line: 1, typeOnly: false, target: 'a' },
      { line: 2, typeOnly: true, target: 'packages/x/src/y/b.ts' },
      { line: 3, typeOnly: false, target: 'packages/x/src/c.ts' },
      { line: 7, typeOnly: false, target: 'e' },
      { line: 8, typeOnly: false, target: 'f' },
      { line: 9, typeOnly: false, target: 'packages/x/src/y/g.ts' },
      { line: 10, typeOnly: true, target: 'h' },
      { line: 11, typeOnly: false, target: 'i' },
    ])
  })
})
