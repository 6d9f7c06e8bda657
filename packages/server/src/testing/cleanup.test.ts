import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUpAfterFile, closeFile, openFile } from './cleanup.ts'

describe('what a test file starts', () => {
  const ended: string[] = []

  beforeAll(() => cleanUpAfterFile(() => ended.push('of a hook')))
  afterAll(() => expect(ended, 'before the file is over').toEqual([]))

  it('ends when it is over, the last thing first, also after one that fails', async () => {
    cleanUpAfterFile(() => ended.push('of a test'))
    cleanUpAfterFile(() => {
      throw new Error('stuck')
    })
    await expect(closeFile()).rejects.toThrow('stuck')
    expect(ended.splice(0)).toEqual(['of a test', 'of a hook'])
    openFile()
  })

  it('is refused where nothing would end it', async () => {
    await closeFile()
    expect(() => cleanUpAfterFile(() => undefined)).toThrow('setupFiles')
    openFile()
  })
})
