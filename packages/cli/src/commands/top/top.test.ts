import { describe, expect, it } from 'vitest'
import { startService } from '../../testing/service.ts'

const makeWorkspace = await startService()
const ctrlC = '\u0003'

describe('msgctl top', () => {
  it.each(['json', 'csv', 'plain'])('prints one record of %s without a terminal, and ends', async (format) => {
    const { run, seen } = await makeWorkspace()
    const { stdout, exitCode } = await run(['top', '--output', format])
    expect({ exitCode, isOne: stdout.trim().length > 0 }).toEqual({ exitCode: 0, isOne: true })
    expect(seen.map(({ path }) => path)).toEqual(['/api/v1/overview'])
  })

  it.each([
    ['q', 0],
    ['Q', 0],
    ['xq', 0],
    [ctrlC, 130],
  ])('on a terminal ends on %j with %i, and restores the screen', async (keys, exitCode) => {
    const { run } = await makeWorkspace()
    const ran = await run('top', { keys, terminal: true, columns: 80 })
    expect(ran.exitCode, ran.stderr).toBe(exitCode)
    expect(ran.stdout.startsWith('\u001b[?1049h')).toBe(true)
    expect(ran.stdout.endsWith('\u001b[?1049l')).toBe(true)
  })
})
