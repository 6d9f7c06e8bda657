import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { traitsOf } from '@msgctl/contract/traits'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../config/config-file.ts'
import { type CommandLine, commandLines, preparations } from './command-lines.ts'
import { runnable, wholeProgram } from './command-tree.ts'
import { fakeServer, refusal } from './fake-api/server.ts'
import { fakeService } from './fake-api/service.ts'
import { type Situation, testMachine } from './machine.ts'
import { Shell } from './session.ts'

const commands = runnable(await wholeProgram())

/** The command that a line runs: the longest name that its words begin with. */
function nameOf(line: string): string {
  const words = line
    .replace(/^echo .* \| /, '')
    .split(' ')
    .slice(1)
  const names = words.map((_word, index) => words.slice(0, index + 1).join(' ')).filter((name) => commands.has(name))
  return names.at(-1) ?? line
}

const lines = commandLines.map((each) => [nameOf(each.line), each] as const)

/** Deletes, new keys, sends to many, and what stops something: these ask a person first. */
const asking = new Set(
  [
    'batch, reminders import, reminders delete, campaigns send, campaigns cancel, campaigns delete, messages delete',
    'numbers remove, numbers stop, numbers logout, numbers release, webhook rotate, keys generate, keys rotate, logout',
    'contacts words',
  ].flatMap((names) => names.split(', ')),
)

/** Commands that change only the files of msgctl. */
const storing = new Set(['login', 'logout', 'config use', 'config set', 'config unset'])

/** Whether a request may change something: some questions are asked by POST. */
function mayChange({ method, path: where }: { readonly method: string; readonly path: string }): boolean {
  return !traitsOf(`${method} ${where.replace('/api/v1', '')}`).reads
}

const owner = { email: 'ada@example.com', password: 'correct horse' }

/** A machine in a project of the service at `baseUrl`, with the files that the lines name. */
function inProject(baseUrl: string, apiKey: string, situation: Situation = {}) {
  const machine = testMachine()
  const write = (name: string, text: string) => writeFileSync(path.join(machine.cwd, name), text, { mode: 0o600 })
  write('.msgctl.json', JSON.stringify({ baseUrl, apiKey, owner }))
  write('people.csv', 'phone,name\n+12025550100,Ada\n')
  write('visits.csv', 'phone,sendAt\n+12025550100,2027-01-31T09:00:00Z\n')
  return { machine, shell: new Shell(machine, { KEY: apiKey, BASE_URL: baseUrl }, situation) }
}

/** The same at a service where what the line stands on has been made. */
async function prepared({ needs }: CommandLine) {
  const service = await fakeService()
  const { machine, shell } = inProject(service.baseUrl, service.state.apiKey)
  for (const step of needs.flatMap((need) => preparations[need] ?? [])) {
    expect((await shell.run(step)).exitCode, step).toBe(0)
  }
  const before = service.seen.length
  /** What was asked to be changed since, besides the sign-in that a person's command makes. */
  const changes = () =>
    service.seen.slice(before).filter(({ method, path: where }) => method !== 'GET' && !where.endsWith('/auth/sign-in'))
  return { shell, changes, machine }
}

/** The rows of JSON text: of one list, of one record, or of records that stand on a line each. */
function rowsIn(text: string): object[] {
  const isOne = /^[[{]\n/.test(text) || text === '[]\n'
  const values = isOne
    ? [JSON.parse(text)]
    : text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
  return values.flat()
}

function envelopeIn(text: string): { code: string; message: string } {
  const value = JSON.parse(text)
  expect(value).toMatchObject({ success: false, error: { code: expect.any(String), message: expect.any(String) } })
  return value.error
}

describe('the lines of these tests', () => {
  it('run every command there is', () => {
    expect([...new Set(lines.map(([name]) => name))].sort()).toEqual([...commands.keys()].sort())
    expect(commands.size).toBeGreaterThan(85)
    expect([...asking].filter((name) => !commands.has(name))).toEqual([])
  })
})

describe.each(lines)('msgctl %s', (name, command) => {
  const { line } = command

  it('changes nothing with --dry-run and says what it would, then prints JSON alone with --json', async () => {
    const { shell, changes, machine } = await prepared(command)
    const stored = () => ({ ...readConfig(machine.world()), sessions: undefined })
    const before = stored()
    const dry = await shell.run(`${line} --dry-run --json`)
    expect(dry, dry.stderr).toMatchObject({ stderr: '', exitCode: 0 })
    expect(changes()).toEqual([])
    expect(stored()).toEqual(before)

    const { stdout, stderr, exitCode } = await shell.run(`${line} --yes --json`)
    expect({ stderr, exitCode }, stdout).toEqual({ stderr: '', exitCode: 0 })
    const rows = rowsIn(stdout)
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row).toBeTypeOf('object')
    const isChange = changes().length > 0
    if (isChange) expect(rowsIn(dry.stdout)).toEqual([expect.objectContaining({ dryRun: true })])
  })

  it('prints the fields that are picked, one record on each line of ndjson', async () => {
    const { shell } = await prepared(command)
    const all = rowsIn((await shell.run(`${line} --yes --output ndjson`)).stdout)
    const [field = ''] = Object.keys(all[0] ?? {})
    const { stdout, exitCode } = await (await prepared(command)).shell.run(`${line} --yes --json --fields ${field}`)
    expect(exitCode).toBe(0)
    for (const row of rowsIn(stdout)) expect(Object.keys(row)).toEqual([field])
  })

  it('answers a change whatever --fields say, shows it whole before, and refuses to read what is not there', async () => {
    const { shell, changes } = await prepared(command)
    const dry = await shell.run(`${line} --dry-run --json --fields nosuch`)
    const { stdout, stderr, exitCode } = await shell.run(`${line} --yes --json --fields nosuch`)
    const isChange = changes().some(mayChange) || storing.has(name)
    if (isChange) {
      expect(rowsIn(dry.stdout)).toEqual([expect.objectContaining({ dryRun: true })])
      expect(rowsIn(stdout)[0]).toEqual({ nosuch: null })
      expect({ stderr, exitCode }).toEqual({
        stderr: expect.stringMatching(/^There is no field nosuch.*\n$/),
        exitCode: 0,
      })
    } else {
      expect({ stdout, exitCode }, stderr).toEqual({ stdout: '', exitCode: 2 })
      expect(envelopeIn(stderr).message).toBe('There is no field nosuch.')
    }
  })

  it.each(['csv', 'plain'])('prints %s', async (format) => {
    const { shell } = await prepared(command)
    const { exitCode, stderr } = await shell.run(`${line} --yes --quiet --output ${format}`)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  })

  it('reports a wrong command line as the envelope on stderr', async () => {
    const { shell } = inProject('http://127.0.0.1:1/api/v1', 'msk_unused_key')
    const { stdout, stderr, exitCode } = await shell.run(`${line} --no-such-option --json`)
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
    expect(envelopeIn(stderr).code).toBe('USAGE')
  })
})

describe('a yes', () => {
  it.each(lines.filter(([name]) => asking.has(name)))(
    '%s demands it where nobody can be asked, and changes nothing before',
    async (_name, command) => {
      const { shell, changes } = await prepared(command)
      const { stdout, stderr, exitCode } = await shell.run(`${command.line} --json`)
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
      expect(envelopeIn(stderr).code).toBe('CONFIRMATION_REQUIRED')
      expect(changes()).toEqual([])
    },
  )
})

/** What needs no answer of the service: it neither fails with it nor waits for it. */
const alone = /^(config|completion|logout)\b/

describe('Ctrl-C', () => {
  it.each(lines.filter(([name]) => !alone.test(name)))(
    'ends %s at once while the service does not answer',
    async (_name, { line }) => {
      const interruption = new AbortController()
      const silence = () => {
        interruption.abort()
        return { events: [] }
      }
      const everything = ['GET', 'POST', 'PUT', 'DELETE'].map((method) => [`${method} /.*`, silence])
      const { origin, seen } = await fakeServer(Object.fromEntries(everything))
      const { shell } = inProject(`${origin}/api/v1`, 'msk_unused_key', { signal: interruption.signal })
      const { stdout, stderr, exitCode } = await shell.run(`${line} --yes --json`)
      expect({ stdout, exitCode }, stderr).toEqual({ stdout: '', exitCode: 130 })
      expect(envelopeIn(stderr).code).toBe('INTERRUPTED')
      expect(seen).toHaveLength(1)
    },
  )
})

describe('a refusal of the service', () => {
  it.each(lines.filter(([name]) => !alone.test(name)))(
    '%s passes it on as its envelope on stderr',
    async (_name, { line }) => {
      const refused = () => refusal(401, 'AUTH_ERROR', 'The key is not valid.')
      const everything = ['GET', 'POST', 'PUT', 'DELETE'].map((method) => [`${method} /.*`, refused])
      const { origin } = await fakeServer(Object.fromEntries(everything))
      const { shell } = inProject(`${origin}/api/v1`, 'msk_refused_key')
      const { stdout, stderr, exitCode } = await shell.run(`${line} --yes --json`)
      expect({ stdout, exitCode }, stderr).toEqual({ stdout: '', exitCode: 4 })
      expect(envelopeIn(stderr).code).toBe('AUTH_ERROR')
    },
  )
})
