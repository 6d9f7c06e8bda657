import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { removeAbandonedFiles, withTemporaryFile } from './temporary-files.ts'

const parent = await mkdtemp(path.join(tmpdir(), 'temporary-files-test-'))
afterAll(() => rm(parent, { recursive: true, force: true }))

describe('a temporary file', () => {
  it('is in a folder that only its owner can enter, and is deleted afterwards', async () => {
    const seen = await withTemporaryFile(async (file) => {
      await writeFile(file, 'x')
      expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700)
      return file
    }, parent)
    expect(existsSync(seen)).toBe(false)
    expect(await readdir(parent)).toEqual([])
  })

  it('is gone after a failure too', async () => {
    const failing = withTemporaryFile(async (file) => {
      await writeFile(file, 'x')
      throw new Error('no')
    }, parent)
    await expect(failing).rejects.toThrow('no')
    expect(await readdir(parent)).toEqual([])
  })
})

describe('what a killed process left', () => {
  // A process that has ended, so its pid is free again.
  const gone = spawnSync(process.execPath, ['-e', '0']).pid

  it('is removed, and nothing else', async () => {
    const left = [`msgctl-media-${gone}-0a1b2c3d-abcdef`, `msgctl-media-${process.pid}-00000000-abcdef`]
    const kept = [`msgctl-media-${process.ppid}-0a1b2c3d-abcdef`, 'something-else', 'msgctl-media']
    for (const name of [...left, ...kept]) await mkdir(path.join(parent, name))
    await writeFile(path.join(parent, left[0] ?? '', 'file'), 'x')
    await withTemporaryFile(async (file) => {
      expect(await removeAbandonedFiles(parent)).toBe(2)
      expect(existsSync(path.dirname(file))).toBe(true)
    }, parent)
    expect((await readdir(parent)).sort()).toEqual([...kept].sort())
  })
})
