import { describe, expect, it } from 'vitest'
import { startService } from '../testing/service.ts'

const makeWorkspace = await startService()

/** A terminal at the service, at which a person presses `keys` when asked. */
async function terminal() {
  const workspace = await makeWorkspace()
  /** Makes what a test stands on; its requests are not counted. */
  const prepare = async (...words: readonly string[]) => {
    const { stdout, stderr } = await workspace.run([...words, '--output', 'plain'])
    workspace.seen.length = 0
    return { text: stdout.trim(), stderr }
  }
  return { ...workspace, prepare, run: (words: string, keys: string) => workspace.run(words, { keys }) }
}

const enter = '\r'
const ctrlC = '\u0003'
const ctrlD = '\u0004'

describe('a person at a terminal', () => {
  it('is shown the chat and prompted for the reply', async () => {
    const { run, prepare, changes } = await terminal()
    await prepare('sim', 'inbound', '+12025550100', 'Are you open?')
    const words = 'chats reply +12025550100 --output plain --fields status'
    const { stdout, stderr, exitCode } = await run(words, `At nine${enter}`)
    expect([stdout, exitCode]).toEqual(['queued\n', 0])
    expect(stderr).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}Sim 0100: Are you open\?\n/m)
    expect(changes()).toEqual([{ phone: '+12025550100', message: 'At nine' }])
  })

  it.each([ctrlC, ctrlD])('may think better of it and press %j', async (key) => {
    const { run, changes } = await terminal()
    const { exitCode, stdout } = await run('chats reply +12025550100', `At n${key}`)
    expect([stdout, exitCode]).toEqual(['', 130])
    expect(changes()).toEqual([])
  })

  it('is prompted for a one-time code', async () => {
    const { run, prepare, changes } = await terminal()
    const send = ['otp', 'send', '+13125550121', '--template', '{{code}}', '--fields', 'requestId']
    const { text: request } = await prepare(...send)
    const transcript = ['sim', 'transcript', '--phone', '+13125550121', '--fields', 'content.text']
    const { text: code } = await prepare(...transcript)
    const { stdout } = await run(`otp verify ${request} --output plain --fields verified`, `${code}${enter}`)
    expect(stdout).toBe('true\n')
    expect(changes()).toEqual([{ requestId: request, code }])
  })

  it.each([
    [`y${enter}`, 0, 1],
    [`n${enter}`, 2, 0],
    [enter, 2, 0],
    // Typed ahead for another program.
    [`clear; msgctl keys rotate${enter}`, 2, 0],
  ])('who is prompted for a confirmation and presses %j', async (key, exitCode, count) => {
    const { run, changes } = await terminal()
    expect((await run('numbers logout Demo', key)).exitCode).toBe(exitCode)
    expect(changes()).toHaveLength(count)
  })
})
