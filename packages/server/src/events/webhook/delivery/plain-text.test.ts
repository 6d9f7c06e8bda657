import { describe, expect, it } from 'vitest'
import { toPlainText } from './attempt.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('the kept beginning of a response', () => {
  it.each([
    ['plain text', bytes('{"reason":"no_matching_signature"}'), '{"reason":"no_matching_signature"}'],
    ['colours of a terminal', bytes('\x1b[31mred\x1b[0m'), '[31mred[0m'],
    ['NUL and a mark that turns text around', bytes('a\0b\u202ec'), 'abc'],
    ['lines and tabs', bytes('\n one\n\ttwo \n'), 'one\n\ttwo'],
    ['a character that was cut', bytes('Größe').subarray(0, 4), 'Gr\u00f6'],
    ['half of a character', bytes('Grö').subarray(0, 3), 'Gr'],
    ['bytes that are no text', new Uint8Array([0xc3, 0x28]), '\ufffd('],
    ['nothing', new Uint8Array(), ''],
  ])('is readable: %s', (_what, given, shown) => {
    expect(toPlainText(given)).toBe(shown)
  })
})
