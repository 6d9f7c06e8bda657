import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { endpointTraits } from '@msgctl/contract/traits'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config/config-file.ts'
import { type CommandLine, commandLines } from './command-lines.ts'
import { runnable, wholeProgram } from './command-tree.ts'
import { copyMachine, type Machine, type Ran, type Situation, testMachine } from './machine.ts'
import { preparations } from './preparations.ts'
import { refusal, scriptedServer } from './scripted-server.ts'
import { startService } from './service.ts'
import { parseSession, Shell } from './session.ts'
import { Tape } from './tape.ts'

const makeWorkspace = await startService({ PAYMENTS: 'simulated' })
const commands = runnable(await wholeProgram())

/** Returns the command of a line: the longest name that its words begin with. */
function findCommandName(line: string): string {
  const words = line
    .replace(/^(?:echo|printf) .* \| /, '')
    .split(' ')
    .slice(1)
  const names = words.map((_word, index) => words.slice(0, index + 1).join(' ')).filter((name) => commands.has(name))
  return names.at(-1) ?? line
}

const sessions = path.join(import.meta.dirname, '../../acceptance')
const lines = commandLines.map((each) => [findCommandName(each.line), each] as const)

/** Commands that require confirmation: deletions, new keys, bulk sends and stops. */
const asking = new Set(
  [
    'batch, reminders import, reminders delete, campaigns send, campaigns cancel, campaigns delete, messages delete',
    'numbers remove, numbers stop, numbers logout, numbers release, webhook rotate, keys generate, keys rotate, logout',
    'contacts words, auth end, auth two-factor off, auth two-factor codes, auth delete, team remove, team leave',
    'bots delete, org transfer, org delete, mcp revoke, mcp approve, admin revoke, admin deactivate',
    'billing plan, billing extra-numbers, billing period, billing cancel',
  ].flatMap((names) => names.split(', ')),
)

/** Commands that change only the configuration of msgctl. */
const storing = new Set(['login', 'logout', 'config use', 'config set', 'config unset'])

/** Returns whether a request may change something: some reads use POST. */
function mayChange({ method, path: where }: { readonly method: string; readonly path: string }): boolean {
  return !endpointTraits(`${method} ${where.replace('/api/v1', '')}`).reads
}

/** The commands that sessions on a terminal of 80 columns run and that print something there. */
const narrow = new Set(
  readdirSync(sessions)
    .map((file) => parseSession(readFileSync(path.join(sessions, file), 'utf8')))
    .filter(({ head }) => head.includes('# columns 80'))
    .flatMap(({ steps }) => steps)
    .filter(({ lines: printed }) => printed.some((line) => !/^(2> |exit |#|$)/.test(line)))
    .map(({ command }) => findCommandName(command)),
)

/** Writes the files that the lines use. */
function writeLists({ cwd }: Machine): void {
  writeFileSync(path.join(cwd, 'people.csv'), 'phone,name\n+12025550100,Ada\n')
  writeFileSync(path.join(cwd, 'answers.csv'), 'question,answer\nWhen do you close?,At 5.\n')
  writeFileSync(path.join(cwd, 'products.csv'), 'name,price\nPasta,8.50\n')
  writeFileSync(path.join(cwd, 'notes.txt'), 'Open from nine to five.\n')
  writeFileSync(path.join(cwd, 'visits.csv'), 'phone,sendAt\n+12025550100,2027-01-31T09:00:00Z\n')
}

/** Returns a machine in a project of a scripted server at `baseUrl`. */
function inProject(baseUrl: string, apiKey: string, situation: Situation = {}) {
  const machine = testMachine()
  const owner = { email: 'ada@example.com', password: 'correct horse' }
  const text = JSON.stringify({ baseUrl, apiKey, owner })
  writeFileSync(path.join(machine.cwd, '.msgctl.json'), text, { mode: 0o600 })
  writeLists(machine)
  const variables = { KEY: apiKey, BASE_URL: baseUrl, EMAIL: owner.email, PASSWORD: owner.password }
  return { shell: new Shell(machine, variables, situation) }
}

/** A machine in a project of the service, with prepared data. */
type Prepared = Awaited<ReturnType<typeof prepare>>

const ends: (() => void)[] = []
afterAll(() => {
  for (const end of ends) end()
})

/** Prepares the data that `needs` names, in a new organization. */
async function prepare(needs: readonly string[]) {
  const workspace = await makeWorkspace((end) => ends.push(end))
  const { apiKey, baseUrl, internet, machine, owner } = workspace
  workspace.writeProjectFile()
  writeLists(machine)
  const variables = { KEY: apiKey, BASE_URL: baseUrl, FILES: internet, EMAIL: owner.email, PASSWORD: owner.password }
  const shell = new Shell(machine, variables)
  for (const step of needs.flatMap((need) => preparations[need] ?? [])) {
    const { exitCode, stderr } = await shell.run(step)
    expect(exitCode, `${step}\n${stderr}`).toBe(0)
  }
  return { workspace, shell }
}

/** What was prepared and has not changed since, by what it was prepared for. */
const unchanged = new Map<string, Prepared>()

/** Returns a machine with the data that the line requires. Call `keep` when the line has changed nothing there. */
async function prepared({ needs }: CommandLine) {
  const name = needs.join()
  const found = unchanged.get(name) ?? (await prepare(needs))
  unchanged.delete(name)
  const { seen } = found.workspace
  const before = seen.length
  /** Returns the changes requested since then, except sign-ins. */
  const changes = () =>
    seen.slice(before).filter((request) => mayChange(request) && !request.path.endsWith('/auth/sign-in'))
  return { ...found, changes, machine: found.workspace.machine, keep: () => void unchanged.set(name, found) }
}

/** Parses the rows of a JSON list, of one record, or of one record per line. */
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

/** Expects a read with an unknown field to be rejected. */
function expectRefusedField({ stdout, stderr, exitCode }: Ran): void {
  expect({ stdout, exitCode }, stderr).toEqual({ stdout: '', exitCode: 2 })
  expect(envelopeIn(stderr).message).toBe('Unknown field nosuch.')
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

  if (asking.has(name)) {
    it('requires confirmation without a terminal, and changes nothing before', async () => {
      const { shell, changes, keep } = await prepared(command)
      const { stdout, stderr, exitCode } = await shell.run(`${line} --json`)
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
      expect(envelopeIn(stderr).code).toBe('CONFIRMATION_REQUIRED')
      expect(changes()).toEqual([])
      keep()
    })
  }

  it('changes nothing with --dry-run, then prints every format and the selected fields', async () => {
    const { shell, changes, machine, workspace, keep } = await prepared(command)
    const stored = () => ({ ...readConfig(machine.world()), sessions: undefined })
    const before = stored()
    const dry = await shell.run(`${line} --dry-run --json`)
    expect(dry, dry.stderr).toMatchObject({ stderr: '', exitCode: 0 })
    const dryWithout = await shell.run(`${line} --dry-run --json --fields nosuch`)
    expect(changes()).toEqual([])
    expect(stored()).toEqual(before)

    const machineBefore = copyMachine(machine)
    const tape = new Tape()
    const { stdout, stderr, exitCode } = await workspace.record(tape, () => shell.run(`${line} --yes --json`))
    expect({ stderr, exitCode }, stdout).toEqual({ stderr: '', exitCode: 0 })
    const rows = rowsIn(stdout)
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row).toBeTypeOf('object')
    if (stdout.startsWith('[')) expect([...narrow], `${name} lists: a session of 80 columns shows it`).toContain(name)
    const isChange = changes().some(mayChange) || storing.has(name)
    if (isChange) {
      for (const text of [dry.stdout, dryWithout.stdout])
        expect(rowsIn(text)).toEqual([expect.objectContaining({ dryRun: true })])
    }

    /** Runs the line again from the same state, with the same responses. */
    const again = (options: string) =>
      workspace.replay(tape, () => shell.on(copyMachine(machineBefore)).run(`${line} --yes ${options}`))
    const [field = ''] = Object.keys(rows[0] ?? {})
    // With an unknown field, a change is made and printed; a read is rejected.
    const names = isChange ? [field, 'nosuch'] : [field]
    const picked = await again(`--json --fields ${names}`)
    expect(picked.exitCode, picked.stderr).toBe(0)
    expect(picked.stderr).toMatch(isChange ? /^Unknown field nosuch.*\n$/ : /^$/)
    for (const row of rowsIn(picked.stdout)) expect(Object.keys(row)).toEqual(names)
    if (!isChange) expectRefusedField(await again('--json --fields nosuch'))
    for (const format of ['csv', 'plain', 'ndjson']) {
      expect(await again(`--quiet --output ${format}`), format).toMatchObject({ exitCode: 0, stderr: '' })
    }
    if (!isChange) keep()
  })

  it('reports a wrong command line as the envelope on stderr', async () => {
    const { shell } = inProject('http://127.0.0.1:1/api/v1', 'msk_unused_key')
    const { stdout, stderr, exitCode } = await shell.run(`${line} --no-such-option --json`)
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
    expect(envelopeIn(stderr).code).toBe('USAGE')
  })
})

/** The variables of the lines that are ids. */
const ids = new RegExp(
  '\\$(?:action|answer|connection|conversation|delivery|endpoint|event|invitation|message|photo|product|queued|' +
    'reminder|request|review|sent|unread)\\b',
  'g',
)

/** Returns a line without the variables that must look like an address, a phone or an id. */
function filledIn(line: string): string {
  return line
    .replace('$FILES', 'https://files.example.com')
    .replace('$staffPhone', '+12025550188')
    .replace('$checkout', 'http://127.0.0.1:3000/simulated-payments/checkout/cs_test_0123456789')
    .replace(ids, '0190c1d2-7a3b-7c4d-8e5f-60718293a4b5')
}

/** Commands that do not call the service. */
const offline = /^(config|completion|logout|mcp config)\b/

describe('Ctrl-C', () => {
  it.each(lines.filter(([name]) => !offline.test(name)))(
    'ends %s at once while the service does not answer',
    async (_name, { line }) => {
      const interruption = new AbortController()
      const silence = () => {
        interruption.abort()
        return { events: [] }
      }
      const everything = ['GET', 'POST', 'PUT', 'DELETE'].map((method) => [`${method} /.*`, silence])
      const { origin, seen } = await scriptedServer(Object.fromEntries(everything))
      const { shell } = inProject(`${origin}/api/v1`, 'msk_unused_key', { signal: interruption.signal })
      const { stdout, stderr, exitCode } = await shell.run(`${filledIn(line)} --yes --json`)
      expect({ stdout, exitCode }, stderr).toEqual({ stdout: '', exitCode: 130 })
      expect(envelopeIn(stderr).code).toBe('INTERRUPTED')
      expect(seen).toHaveLength(1)
    },
  )
})

describe('a refusal of the service', () => {
  it.each(lines.filter(([name]) => !offline.test(name)))(
    '%s passes it on as its envelope on stderr',
    async (_name, { line }) => {
      const refused = () => refusal(401, 'AUTH_ERROR', 'The key is not valid.')
      const everything = ['GET', 'POST', 'PUT', 'DELETE'].map((method) => [`${method} /.*`, refused])
      const { origin } = await scriptedServer(Object.fromEntries(everything))
      const { shell } = inProject(`${origin}/api/v1`, 'msk_refused_key')
      const { stdout, stderr, exitCode } = await shell.run(`${filledIn(line)} --yes --json`)
      expect({ stdout, exitCode }, stderr).toEqual({ stdout: '', exitCode: 4 })
      expect(envelopeIn(stderr).code).toBe('AUTH_ERROR')
    },
  )
})
