import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type FakeService, fakeService } from './fake-api/service.ts'
import { type Machine, testMachine } from './machine.ts'
import { expected, parseSession, Shell } from './session.ts'

const folder = path.join(import.meta.dirname, '../../acceptance')
const files = readdirSync(folder).filter((file) => file.endsWith('.session'))

/** What the server's quick start leaves in the folder it was started in. */
function writeProjectFile({ cwd }: Machine, { baseUrl, state }: FakeService): void {
  const content = { baseUrl, apiKey: state.apiKey, owner: state.owner }
  writeFileSync(path.join(cwd, '.msgctl.json'), JSON.stringify(content), { mode: 0o600 })
}

describe('sessions as a person types them', () => {
  it('are there', () => {
    expect(files.length).toBeGreaterThan(5)
  })

  it.each(files)('%s', async (file) => {
    const machine = testMachine()
    const service = await fakeService()
    // A session about signing in begins on a machine that knows nothing.
    if (!file.startsWith('login')) writeProjectFile(machine, service)
    const { baseUrl, origin, state } = service
    const { email, password } = state.owner
    const shell = new Shell(machine, {
      BASE_URL: baseUrl,
      ORIGIN: origin,
      KEY: state.apiKey,
      EMAIL: email,
      PASSWORD: password,
    })
    const steps = parseSession(readFileSync(path.join(folder, file), 'utf8'))
    expect(steps.length).toBeGreaterThan(1)
    for (const step of steps) {
      const ran = await shell.run(step.command)
      const at = `${file}:${step.line}: $ ${step.command}\n${ran.stdout}${ran.stderr}`
      const lines = (texts: readonly string[]) => expected(texts.map((text) => shell.expand(text)))
      expect(ran.stdout, at).toMatch(lines(step.stdout))
      expect(ran.stderr, at).toMatch(lines(step.stderr))
      expect(ran.exitCode, at).toBe(step.exitCode)
    }
  })
})
