import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atEndOfFile, closeFile, openFile } from './at-end.ts'

describe('what a test file starts', () => {
  const ended: string[] = []

  beforeAll(() => atEndOfFile(() => ended.push('of a hook')))
  afterAll(() => expect(ended, 'before the file is over').toEqual([]))

  it('ends when it is over, the last thing first, also after one that fails', async () => {
    atEndOfFile(() => ended.push('of a test'))
    atEndOfFile(() => {
      throw new Error('stuck')
    })
    await expect(closeFile()).rejects.toThrow('stuck')
    expect(ended.splice(0)).toEqual(['of a test', 'of a hook'])
    openFile()
  })

  it('is refused where nothing would end it', async () => {
    await closeFile()
    expect(() => atEndOfFile(() => undefined)).toThrow('setupFiles')
    openFile()
  })
})
