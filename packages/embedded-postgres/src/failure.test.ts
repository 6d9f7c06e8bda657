import { describe, expect, it } from 'vitest'
import { explainingFileErrors, failureFromOutput } from './failure.ts'

describe('failureFromOutput', () => {
  it('reports that the disk is full and what to do', () => {
    const output =
      'creating configuration files ...\ninitdb: error: could not write file "x": No space left on device\n'
    const error = failureFromOutput('Postgres did not start', '/data/pg', output)
    expect(error.reason).toBe('no_space')
    expect(error.message).toMatch(/no space is left on the disk of \/data\/pg\. .*DATA_DIR/)
  })

  it('shows the last lines of the log otherwise', () => {
    const output = Array.from({ length: 100 }, (_, line) => `line ${line}`).join('\n')
    const { reason, message } = failureFromOutput('Postgres did not start', '/data/pg', output)
    expect(reason).toBe('start_failed')
    expect(message).toContain('line 80\n')
    expect(message).toContain('line 99')
    expect(message).not.toContain('line 79')
  })
})

describe('explainingFileErrors', () => {
  const refusal = (code: string) => Object.assign(new Error(`${code}: refused`), { code, path: '/data/pg' })

  it.each([
    ['EACCES', 'folder_not_usable'],
    ['EROFS', 'folder_not_usable'],
    ['ENOTDIR', 'folder_not_usable'],
    ['ENOSPC', 'no_space'],
    ['EDQUOT', 'no_space'],
  ])('explains %s as %s', async (code, reason) => {
    await expect(explainingFileErrors('/data/pg', () => Promise.reject(refusal(code)))).rejects.toMatchObject({
      reason,
    })
  })

  it('leaves other errors alone', async () => {
    const error = new Error('something else')
    await expect(explainingFileErrors('/data/pg', () => Promise.reject(error))).rejects.toBe(error)
  })
})
