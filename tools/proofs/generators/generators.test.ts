import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { openApiDocument } from '@msgctl/contract/openapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeNumber, makeOrganization } from '../../../packages/server/src/testing/make.ts'
import { startTestServer } from '../../../packages/server/src/testing/start-server.ts'

const run = promisify(execFile)
const here = import.meta.dirname
/** Set by npm run proof -- generators, which also installs them. */
const wanted = process.env.GENERATORS === '1'
const server = wanted ? await startTestServer() : undefined
const tsc = path.join(here, 'node_modules/typescript/bin/tsc')
const strict = {
  strict: true,
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
  typeRoots: [path.join(here, '../../../node_modules/@types')],
}
const records = ['Message', 'Campaign', 'Reminder', 'NumberRecord', 'Chat', 'Contact', 'Delivery', 'Account']

/** Returns whether a program is installed. */
async function isInstalled(program: string): Promise<boolean> {
  return run(program, program === 'go' ? ['version'] : ['--version']).then(
    () => true,
    () => false,
  )
}
const [hasPython, hasGo] = await Promise.all(['python3', 'go'].map(isInstalled))

describe.skipIf(!wanted)('clients that other generators make (only in npm run proof -- generators)', () => {
  let folder = ''
  let env: NodeJS.ProcessEnv = {}

  beforeAll(async () => {
    if (!server) return
    folder = await mkdtemp(path.join(tmpdir(), 'msgctl-generators-'))
    const document = path.join(folder, 'openapi.json')
    await writeFile(document, JSON.stringify(openApiDocument()))
    await run(process.execPath, [path.join(here, 'generate.mjs'), document, folder], { cwd: here })
    await cp(path.join(here, 'programs/hey-api.ts'), path.join(folder, 'hey-api.ts'))
    await cp(path.join(here, 'programs/quick_start.py'), path.join(folder, 'python/quick_start.py'))
    await cp(path.join(here, 'programs/main.go'), path.join(folder, 'go/main.go'))
    const organization = await makeOrganization(server)
    await makeNumber(server, organization)
    const cache = path.join(folder, 'go-cache')
    env = {
      ...process.env,
      BASE_URL: server.baseUrl,
      API_KEY: organization.apiKey,
      GOCACHE: cache,
      GOFLAGS: '-mod=mod',
    }
  }, 300_000)

  afterAll(async () => {
    if (folder !== '') await rm(folder, { recursive: true, force: true })
  })

  it('compile strictly: hey-api, orval and openapi-typescript', async () => {
    const compilerOptions = { ...strict, module: 'esnext', moduleResolution: 'bundler', noEmit: true }
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }))
    const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  }, 300_000)

  it.each([
    { kind: 'ESM', type: 'module', module: 'nodenext', moduleResolution: 'nodenext' },
    { kind: 'CommonJS', type: 'commonjs', module: 'commonjs', moduleResolution: 'node10' },
  ])(
    'run from TypeScript as $kind',
    async ({ kind, type, ...options }) => {
      const outDir = path.join(folder, kind)
      const compilerOptions = { ...strict, ...options, outDir, rootDir: folder }
      const config = path.join(folder, `tsconfig.${kind}.json`)
      await writeFile(config, JSON.stringify({ compilerOptions, files: ['hey-api.ts'] }))
      await writeFile(path.join(folder, 'package.json'), JSON.stringify({ type }))
      await mkdir(outDir)
      await writeFile(path.join(outDir, 'package.json'), JSON.stringify({ type }))
      await run(process.execPath, [tsc, '-p', config])
      const program = path.join(outDir, 'hey-api.js')
      expect(await readFile(program, 'utf8')).toMatch(kind === 'ESM' ? /^import /m : /require\(/)
      const { stdout } = await run(process.execPath, [program], { env })
      expect(stdout.trim()).toBe('read NUMBER_NOT_ON_NETWORK')
    },
    300_000,
  )

  it.each(['hey-api/types.gen.ts', 'go/models.go', 'python/models.py'])('name each record once: %s', async (file) => {
    const text = await readFile(path.join(folder, file), 'utf8')
    for (const name of records) {
      const types =
        text.match(new RegExp(`^(?:export )?(?:type|class|interface) ${name}(?:Class|\\d+)?\\b`, 'gm')) ?? []
      expect(types, name).toHaveLength(1)
    }
  })

  it.skipIf(!hasPython)(
    'run from Python',
    async () => {
      const { stdout } = await run('python3', [path.join(folder, 'python/quick_start.py')], { env })
      expect(stdout.trim()).toBe('read NUMBER_NOT_ON_NETWORK')
    },
    120_000,
  )

  it.skipIf(!hasGo)(
    'run from Go',
    async () => {
      await writeFile(path.join(folder, 'go/go.mod'), 'module msgctl\n\ngo 1.19\n')
      const { stdout } = await run('go', ['run', '.'], { env, cwd: path.join(folder, 'go') })
      expect(stdout.trim()).toBe('read NUMBER_NOT_ON_NETWORK')
    },
    300_000,
  )
})
