import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { startService } from '../testing/service.ts'

const makeWorkspace = await startService()

const files = {
  'people.csv': 'phone\n+12025550100\ncall me\n\n"",\n+12025550110\n',
  'visits.csv': 'phone,sendAt\n+12025550100,2030-01-01T00:00:00Z\ncall me,2030-01-01T00:00:00Z\n+12025550110,soon\n',
  'answers.csv': 'question,answer\nWhen do you open?,At 9.\nWhen,do,you close?\nWhere?,\n',
  'products.csv': 'name,price\nTea,3\nCake,much\nWater,none\n',
}

/** A workspace with the files. */
async function withFiles(extra: Readonly<Record<string, string>> = {}) {
  const workspace = await makeWorkspace()
  for (const [name, text] of Object.entries({ ...files, ...extra })) {
    writeFileSync(path.join(workspace.machine.cwd, name), text)
  }
  return workspace
}

const commands = [
  ['batch hello --file people.csv', 'line 3: call me is not a phone number'],
  ['campaigns create News hello --csv people.csv', 'line 3: call me is not a phone number'],
  ['campaigns preview hello --csv people.csv', 'line 3: call me is not a phone number'],
  ['contacts opt-out --file people.csv', 'line 3: call me is not a phone number'],
  ['reminders import hello --csv visits.csv', 'line 4: soon is not a time'],
] as const

describe.each(commands)('msgctl %s, with two invalid rows', (words, listed) => {
  it('refuses the list, and names the rows and the flag', async () => {
    const { run, changes } = await withFiles()
    const { exitCode, stderr } = await run(`${words} --yes`)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(listed)])
    expect(stderr).toMatch(/2 rows are invalid\. Nothing was changed\.\n.*leave them out with --skip-invalid\.\n/)
    expect(changes()).toEqual([])
  })

  it('leaves them out with --skip-invalid, lists them in every format, and ends with 9', async () => {
    const { run, changes } = await withFiles()
    const { exitCode, stderr } = await run(`${words} --yes --skip-invalid --json`)
    expect([exitCode, stderr]).toEqual([9, expect.stringContaining(listed)])
    expect(changes().length).toBeGreaterThan(0)
    expect(JSON.stringify(changes())).not.toContain('call me')
  })

  it('asks a person, and sends nothing without the answer', async () => {
    const { run, changes } = await withFiles()
    const { exitCode, stderr } = await run(words, { keys: ['n\r'] })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('2 rows are invalid. Leave them out, and continue')])
    expect(changes()).toEqual([])
    expect((await run(words, { keys: ['y\r', 'y\r'] })).exitCode).toBe(9)
    expect(changes().length).toBeGreaterThan(0)
  })
})

describe('invalid rows', () => {
  it.each(['answers', 'products'])('of the %s of an assistant are left out the same way', async (noun) => {
    const { run } = await withFiles()
    await run('bots create Shop --numbers Demo --currency EUR')
    const words = `bots ${noun} import Shop --csv ${noun}.csv`
    const refused = await run(words)
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('2 rows are invalid.')])
    const imported = await run(`${words} --skip-invalid --json`)
    expect([imported.exitCode, imported.stderr]).toEqual([9, expect.stringMatching(/^line \d: .*\nline \d: .*\n$/)])
  })

  it('are listed up to twenty, and complete in JSON', async () => {
    const { run } = await withFiles({ 'long.csv': `+12025550100\n${'nobody\n'.repeat(30)}` })
    const { stderr } = await run('batch hello --file long.csv --yes')
    expect(stderr).toMatch(/line 21: nobody is not a phone number\nand 10 more\nError: 30 rows are invalid\./)
    const { error } = JSON.parse((await run('batch hello --file long.csv --yes --json')).stderr)
    expect(error.details.rows).toHaveLength(30)
  })

  it('are refused with the flag too where no row is valid', async () => {
    const { run, changes } = await withFiles({ 'none.csv': 'nobody\n' })
    const { exitCode, stderr } = await run('batch hello --file none.csv --yes --skip-invalid')
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('No row is valid. Nothing was changed.')])
    expect(changes()).toEqual([])
  })
})
