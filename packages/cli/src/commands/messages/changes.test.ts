import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { startService } from '../../testing/service.ts'

const makeWorkspace = await startService()

/** A machine in a project of the service. */
async function inProject() {
  const service = await makeWorkspace()
  const { machine } = service
  service.writeProjectFile()
  const file = path.join(machine.cwd, '.msgctl.json')
  writeFileSync(path.join(machine.cwd, 'people.txt'), '+12025550100\n+12025550102\n')
  const run = (line: string) => machine.run(line.split(' '))
  return { machine, service, file, run }
}

describe('the response to a change', () => {
  it('is printed despite an unknown field, with one note', async () => {
    const { run } = await inProject()
    const { stdout, stderr, exitCode } = await run('send +12025550100 hi --json --fields gatewayId,status,colour')
    expect([JSON.parse(stdout), exitCode]).toEqual([{ gatewayId: null, status: 'queued', colour: null }, 0])
    const there = 'id, messageId, status, priority, containerId'
    expect(stderr).toBe(`Unknown fields gatewayId, colour; the column is empty. Available fields: ${there}.\n`)
  })

  it.each([
    ['csv', 'colour,status\n,queued\n'],
    ['plain', '\tqueued\n'],
    ['ndjson', '{"colour":null,"status":"queued"}\n'],
    ['table', 'colour  -\nStatus  queued\n'],
  ])('has nothing in the place of the field in %s', async (format, text) => {
    const { run } = await inProject()
    const { stdout, stderr, exitCode } = await run(
      `send +12025550100 hi --quiet --output ${format} --fields colour,status`,
    )
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: text, stderr: '', exitCode: 0 })
  })

  it('is refused before a change is made, where the command reads first', async () => {
    const { service, run } = await inProject()
    const { stdout, exitCode } = await run('numbers list --json --fields colour')
    expect([stdout, exitCode]).toEqual(['', 2])
    expect(service.seen.map(({ method }) => method)).toEqual(['GET'])
  })
})

describe('a new key', () => {
  it('is stored and shown whatever --fields say', async () => {
    const { service, file, run } = await inProject()
    const { stdout, exitCode } = await run('keys rotate --yes --json --fields apiKey,apiKeyPreview')
    const { apiKey, apiKeyPreview } = JSON.parse(stdout)
    expect([apiKeyPreview, exitCode]).toEqual([null, 0])
    expect(apiKey).not.toBe(service.apiKey)
    expect(JSON.parse(readFileSync(file, 'utf8')).apiKey).toBe(apiKey)
    expect((await run('account me')).exitCode).toBe(0)
  })

  it('is shown, and the command ends with 9, when it cannot be stored', async () => {
    const { file, run } = await inProject()
    // The half-written file of another run with this process id.
    writeFileSync(`${file}.${process.pid}.tmp`, '')
    const { stdout, stderr, exitCode } = await run('keys rotate --yes --json --fields apiKey')
    expect([JSON.parse(stdout), exitCode]).toEqual([{ apiKey: expect.stringMatching(/^msk_/) }, 9])
    expect(JSON.parse(stderr).error.code).toBe('KEY_NOT_STORED')
  })
})
