import { describe, expect, it } from 'vitest'
import { ResponseTooLarge, readChunks, readText } from './transport.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** A web stream that records whether it was cancelled. */
function webStream(...chunks: Uint8Array[]) {
  const state = { cancelled: false }
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = chunks.shift()
      if (next) controller.enqueue(next)
      else controller.close()
    },
    cancel() {
      state.cancelled = true
    },
  })
  return { stream, state }
}

describe('readText', () => {
  it('reads web streams, async iterables and no body at all', async () => {
    async function* pieces() {
      yield bytes('a')
      yield bytes('b')
    }
    expect(await readText(webStream(bytes('a'), bytes('b')).stream, 10)).toBe('ab')
    expect(await readText(pieces(), 10)).toBe('ab')
    expect(await readText(null, 10)).toBe('')
  })

  it('joins characters that are split between two chunks', async () => {
    const whole = bytes('é€😀')
    for (let at = 0; at <= whole.length; at += 1) {
      const { stream } = webStream(whole.subarray(0, at), whole.subarray(at))
      expect(await readText(stream, 100)).toBe('é€😀')
    }
  })

  it('rejects more than its bound and cancels the stream', async () => {
    const { stream, state } = webStream(bytes('abc'), bytes('def'), bytes('ghi'))
    await expect(readText(stream, 5)).rejects.toThrow(ResponseTooLarge)
    expect(state.cancelled).toBe(true)
    expect(await readText(webStream(bytes('abcde')).stream, 5)).toBe('abcde')
  })
})

describe('readChunks', () => {
  it('throws the error of a broken stream, and none for its rejected cancel', async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull() {
        throw new Error('cut')
      },
    })
    await expect(readChunks(broken).next()).rejects.toThrow('cut')
  })
})
