import { describe, expect, it } from 'vitest'
import { formats } from './format.ts'
import { cleanName, nameFromServer, toFileName, toMimetype } from './name.ts'

describe('the name of a file', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['Büro 2026.pdf', 'Büro 2026.pdf'],
    ['../../etc/passwd', 'etcpasswd'],
    ['C:\\temp\\a.pdf', 'Ctempa.pdf'],
    ['a\r\nb\0.pdf', 'ab.pdf'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['.hidden', 'hidden'],
    [' . ', null],
    ['', null],
  ])('%j is shown as %j', (given, shown) => {
    expect(cleanName(given)).toBe(shown)
  })

  it('keeps its ending when it is cut to 255 characters', () => {
    const long = cleanName(`${'a'.repeat(400)}.pdf`)
    expect(long).toHaveLength(255)
    expect(long?.endsWith('a.pdf')).toBe(true)
  })

  it('is read in linear time, however many dots it holds', () => {
    const before = process.cpuUsage()
    const name = `a${'.'.repeat(30_000)}x`
    expect(cleanName(name)).toBe('a')
    expect(nameFromServer('https://a.example/x', `attachment; filename="${name}"`)).toBe('a')
    // Time of this process alone: other work of the machine does not count.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(200)
  })

  it('is found behind many dots and blanks only within its first 1,000 characters', () => {
    expect(cleanName(`${'. '.repeat(400)}a.pdf`)).toBe('a.pdf')
    expect(cleanName(`${'. '.repeat(4000)}a.pdf`)).toBeNull()
  })

  it.each([
    ['https://a.example/files/photo%20one.jpg?sig=1', undefined, 'photo one.jpg'],
    ['https://a.example/files/', undefined, ''],
    ['https://a.example', undefined, ''],
    ['https://a.example/%E0%A4%A', undefined, '%E0%A4%A'],
    ['https://a.example/x', 'attachment; filename="report 1.pdf"', 'report 1.pdf'],
    ['https://a.example/x', 'attachment; filename=report.pdf; size=3', 'report.pdf'],
    ['https://a.example/x', `attachment; filename="old.pdf"; filename*=UTF-8''B%C3%BCro.pdf`, 'Büro.pdf'],
    ['https://a.example/x', 'attachment; filename="a\\"b.pdf"', 'ab.pdf'],
    ['https://a.example/x', 'attachment; filename="../../x.pdf"', 'x.pdf'],
    ['https://a.example/named.pdf', 'inline', 'named.pdf'],
    ['https://a.example/x', `attachment; filename*=UTF-8''B%C3%BCro.pdf; filename="old.pdf"`, 'Büro.pdf'],
    ['https://a.example/x', `attachment; filename="old.pdf"; filename*=iso-8859-1'en'B%FCro.pdf`, 'Büro.pdf'],
    ['https://a.example/x', `attachment; filename="old.pdf"; filename*=UTF-8''%E0%A4%A`, 'old.pdf'],
    ['https://a.example/x', 'attachment; filename="a;b.pdf"', 'a;b.pdf'],
    ['https://a.example/x', 'ATTACHMENT; FileName=a.pdf', 'a.pdf'],
    ['https://a.example/x', 'attachment; name="filename=fake.pdf"; filename=real.pdf', 'real.pdf'],
    ['https://a.example/named.pdf', 'attachment; filename="', 'named.pdf'],
    ['https://a.example/named.pdf', 'attachment; filename', 'named.pdf'],
    ['https://a.example/named.pdf', '', 'named.pdf'],
    ['https://a.example/named.pdf', ';;;===', 'named.pdf'],
  ])('comes from the server of %s with %s: %j', (link, disposition, name) => {
    expect(nameFromServer(link, disposition)).toBe(name)
  })

  it.each([
    ['photo.JPG', 'photo.JPG'],
    ['photo.jpeg', 'photo.jpeg'],
    ['photo.exe', 'photo.exe.jpg'],
    ['photo', 'photo.jpg'],
    ['', 'file.jpg'],
  ])('%j has an ending that fits a JPEG: %j', (name, fitting) => {
    expect(toFileName(formats.jpeg, name)).toBe(fitting)
  })
})

describe('the type of a file', () => {
  it.each([
    ['jpeg', undefined, 'image/jpeg'],
    ['jpeg', 'image/pjpeg', 'image/pjpeg'],
    ['jpeg', 'text/html', 'image/jpeg'],
    ['jpeg', 'image/png\r\nX-Evil: 1', 'image/jpeg'],
    ['text', 'text/markdown; charset=utf-8', 'text/markdown; charset=utf-8'],
    ['text', 'text/html', 'text/plain'],
    ['doc', 'application/vnd.ms-excel', 'application/msword'],
    ['webp', 'image/svg+xml', 'image/webp'],
    ['webp', 'image/jpeg', 'image/webp'],
    ['mp3', 'audio/mp3', 'audio/mp3'],
    ['csv', 'text/plain; charset=utf-8', 'text/plain; charset=utf-8'],
    ['docx', 'application/x-msdownload', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['opus', undefined, 'audio/ogg; codecs=opus'],
    ['mp4', 'Video/MP4', 'video/mp4'],
    ['pdf', 'x'.repeat(100), 'application/pdf'],
  ] as const)('of a %s given as %j is %s', (name, given, type) => {
    expect(toMimetype(formats[name], given)).toBe(type)
  })
})
