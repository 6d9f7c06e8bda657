import { newSecretsKeys } from '@msgctl/network/secrets'
import { describe, expect, it } from 'vitest'
import { linesIn, sealLines } from '#testing/features/moved-file.ts'

const keys = newSecretsKeys()
const chunk = 64 * 1024
const sealedChunk = chunk + 16
/** Three chunks, of which the last one is not full, and a line that is longer than two of them. */
const lines = ['first', 'x'.repeat(2.5 * chunk), 'ünïcödé', 'last']
const file = await sealLines(lines, keys)
const head = file.indexOf('\n') + 1
const chunks = [0, 1, 2].map((n) => file.subarray(head + n * sealedChunk, head + (n + 1) * sealedChunk))
const withChunks = (...some: readonly (Buffer | undefined)[]) =>
  Buffer.concat([file.subarray(0, head), ...some.map((each) => each ?? Buffer.alloc(0))])
const [one, two, three] = chunks

describe('a sealed file', () => {
  it('opens with the same keys, and shows nothing of its lines without them', async () => {
    expect(await linesIn(file, keys)).toEqual(lines)
    expect(await linesIn(file, `2:${newSecretsKeys().slice(2)},${keys}`)).toEqual(lines)
    expect(file.includes('first')).toBe(false)
    expect(await sealLines(lines, keys)).not.toEqual(file)
    await expect(linesIn(file, newSecretsKeys())).rejects.toThrow('is not that of the other installation')
    await expect(linesIn(file, '')).rejects.toThrow('SECRETS_KEYS lacks the key 1')
  })

  it.each([0, 1, chunk - 2, chunk - 1, chunk, 3 * chunk - 1])('keeps a line of %i characters', async (length) => {
    const line = 'y'.repeat(length)
    expect(await linesIn(await sealLines([line], keys), keys)).toEqual([line])
  })

  it('does not open with one byte changed, wherever it is', async () => {
    const places = [0, 10, head - 1, head, head + 1, head + sealedChunk - 1, head + sealedChunk, file.length - 1]
    for (const place of places) {
      const changed = Buffer.from(file)
      changed.writeUInt8(changed.readUInt8(place) ^ 1, place)
      await expect(linesIn(changed, keys), `byte ${place}`).rejects.toThrow(/no export|does not open|was changed|lacks/)
    }
  })

  it.each([
    ['without its last chunk', withChunks(one, two)],
    ['without its first chunk', withChunks(two, three)],
    ['with two chunks swapped', withChunks(two, one, three)],
    ['with a chunk twice', withChunks(one, one, two, three)],
    ['with bytes behind its end', Buffer.concat([file, Buffer.from('x')])],
    ['with a chunk behind its end', withChunks(one, two, three, three)],
    ['without its chunks', withChunks()],
    ['cut in its first line', file.subarray(0, head - 1)],
    ['that is empty', Buffer.alloc(0)],
  ])('does not open %s', async (_what, changed) => {
    await expect(linesIn(changed, keys)).rejects.toThrow(/no export|does not open|was changed/)
  })
})
