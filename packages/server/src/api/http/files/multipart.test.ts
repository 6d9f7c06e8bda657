import { limits } from '@msgctl/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readForm } from './multipart.ts'

const names = ['file', 'filename', 'mimetype'] as const
const line = 'Content-Disposition: form-data; name='

/** Makes a body of parts, each given from its head on. */
function bodyOf(parts: readonly string[], boundary = 'x'): Buffer {
  return Buffer.from(`${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`, 'latin1')
}

function read(body: Buffer, contentType = 'multipart/form-data; boundary=x') {
  const found = readForm(body, contentType, names)
  return Object.fromEntries(
    Object.entries(found).map(([name, { filename, bytes }]) => [name, [filename, bytes.toString('latin1')]]),
  )
}

const file = `${line}"file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello`

describe('a form', () => {
  it.each<[string, Buffer, Record<string, unknown>, string?]>([
    ['of one file', bodyOf([file]), { file: ['a.txt', 'hello'] }],
    ['with a file without bytes', bodyOf([`${line}"file"; filename="a"\r\n\r\n`]), { file: ['a', ''] }],
    ['with a file without a name', bodyOf([`${line}"file"; filename=""\r\n\r\nx`]), { file: ['', 'x'] }],
    ['with a field', bodyOf([`${line}"mimetype"\r\n\r\nimage/png`]), { mimetype: [undefined, 'image/png'] }],
    [
      'with two files, of which the first counts',
      bodyOf([file, file.replace('hello', 'y')]),
      {
        file: ['a.txt', 'hello'],
      },
    ],
    ['with parts of other names', bodyOf([`${line}"a"\r\n\r\nx`, file]), { file: ['a.txt', 'hello'] }],
    ['without parts', bodyOf([]), {}],
    [
      'with a preamble and an epilogue',
      Buffer.from(`hello\r\n--x\r\n${file}\r\n--x--\r\nbye --x`),
      {
        file: ['a.txt', 'hello'],
      },
    ],
    ['without a line break at its end', Buffer.from(`--x\r\n${file}\r\n--x--`), { file: ['a.txt', 'hello'] }],
    [
      'whose file holds line breaks and dashes',
      bodyOf([`${line}"file"; filename="a"\r\n\r\n\r\n\r\n--\r\n--y\r\n`]),
      {
        file: ['a', '\r\n\r\n--\r\n--y\r\n'],
      },
    ],
    ['with a quoted boundary', bodyOf([file], 'a b'), { file: ['a.txt', 'hello'] }, 'boundary="a b"'],
    [
      'with the longest boundary',
      bodyOf([file], 'b'.repeat(70)),
      { file: ['a.txt', 'hello'] },
      `boundary=${'b'.repeat(70)}`,
    ],
    [
      'with names in any case',
      bodyOf([file.replace('Content-Disposition', 'content-DISPOSITION').replace('form-data', 'Form-Data')]),
      {
        file: ['a.txt', 'hello'],
      },
    ],
    ['with names that are not quoted', bodyOf([`${line}file; filename=a.txt\r\n\r\nx`]), { file: ['a.txt', 'x'] }],
    [
      'with quotes and breaks in a name, as browsers write them',
      bodyOf([`${line}"file"; filename="a%22%0D%0Ab"\r\n\r\nx`]),
      {
        file: ['a"\r\nb', 'x'],
      },
    ],
    ['with a name in UTF-8', bodyOf([`${line}"file"; filename="\xc3\xbc"\r\n\r\nx`]), { file: ['ü', 'x'] }],
    [
      'with an extended name',
      bodyOf([`${line}"file"; filename="u"; filename*=utf-8''%C3%BC\r\n\r\nx`]),
      { file: ['ü', 'x'] },
    ],
    [
      'with base64',
      bodyOf([file.replace('\r\n\r\nhello', '\r\nContent-Transfer-Encoding: base64\r\n\r\naGVsbG8=')]),
      {
        file: ['a.txt', 'hello'],
      },
    ],
  ])('%s is read', (_what, body, expected, parameters = 'boundary=x') => {
    expect(read(body, `multipart/form-data; ${parameters}`)).toEqual(expected)
  })

  it.each<[string, string, string?]>([
    ['without a boundary', '--x--', 'multipart/form-data'],
    ['with an empty boundary', '----', 'multipart/form-data; boundary='],
    ['with a boundary that is too long', `--${'b'.repeat(71)}--`, `multipart/form-data; boundary=${'b'.repeat(71)}`],
    ['with another boundary', '--y--'],
    ['that is empty', ''],
    ['that is cut off', `--x\r\n${file}`],
    ['that is cut off within its head', `--x\r\n${line}"file"`],
    ['that is cut off after a boundary', `--x\r\n${file}\r\n--x`],
    ['whose boundary is the beginning of a longer word', `--xy\r\n${file}\r\n--xy--`],
    ['with a part without a head', '--x\r\n\r\nhello\r\n--x--'],
    ['with a part without a name', '--x\r\nContent-Disposition: form-data\r\n\r\nhello\r\n--x--'],
    ['with a part that is no form-data', '--x\r\nContent-Disposition: attachment; name="file"\r\n\r\nx\r\n--x--'],
    ['with a line that is no header', `--x\r\nhello\r\n${file}\r\n--x--`],
    ['with bare line breaks', `--x\n${file.replaceAll('\r', '')}\n--x--`],
  ])('%s is refused', (_what, text, contentType) => {
    expect(() => read(Buffer.from(text), contentType)).toThrow(expect.objectContaining({ code: 'INVALID_JSON' }))
  })

  it('is read as Node.js reads it', async () => {
    const name = fc.constantFrom(...names, 'other')
    const text = fc.string({ unit: 'binary', maxLength: 40 })
    const bytes = fc.uint8Array({ maxLength: 60 })
    const entry = fc.oneof(
      fc.record({ name, text }),
      fc.record({ name, text, bytes: fc.oneof(bytes, fc.constant(new Uint8Array(Buffer.from('\r\n--\r\n\r\n')))) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: limits.media.formParts }), async (entries) => {
        const form = new FormData()
        for (const one of entries) {
          if ('bytes' in one) form.append(one.name, new Blob([new Uint8Array(one.bytes)]), one.text)
          else form.append(one.name, one.text)
        }
        const sent = new Response(form)
        const contentType = sent.headers.get('content-type') ?? ''
        const body = Buffer.from(await sent.arrayBuffer())
        const theirs = await new Response(body, { headers: { 'content-type': contentType } }).formData()
        const ours = readForm(body, contentType, names)
        for (const wanted of names) {
          const value = theirs.get(wanted)
          const part = ours[wanted]
          if (value === null || typeof value === 'string') expect(part?.bytes.toString() ?? null).toBe(value)
          else {
            expect(part?.filename).toBe(value.name)
            expect(part?.bytes.equals(Buffer.from(await value.arrayBuffer()))).toBe(true)
          }
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('the bounds of a form', () => {
  const { formParts, partHeadBytes } = limits.media
  const tooLarge = expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' })
  const others = (count: number) => Array<string>(count).fill(`${line}"a"; filename="b"\r\n\r\n`)

  it('are 10 parts', () => {
    expect(read(bodyOf([...others(formParts - 1), file]))).toEqual({ file: ['a.txt', 'hello'] })
    expect(() => read(bodyOf([...others(formParts), file]))).toThrow(tooLarge)
  })

  it('are 8 KiB for the head of a part', () => {
    const padded = (bytes: number) =>
      `X-Padding: ${'p'.repeat(bytes - `X-Padding: \r\n${file}`.indexOf('hello'))}\r\n${file}`
    const most = padded(partHeadBytes - 2)
    expect(read(bodyOf([most]))).toEqual({ file: ['a.txt', 'hello'] })
    expect(() => read(bodyOf([most.replace('X-', 'X-X')]))).toThrow(tooLarge)
  })

  it('are found without parsing a part: a broken one after the bound is not reached', () => {
    expect(() => read(bodyOf([...others(formParts), 'no head at all']))).toThrow(tooLarge)
    expect(() => read(bodyOf(['no head at all', ...others(formParts)]))).toThrow(tooLarge)
  })
})
