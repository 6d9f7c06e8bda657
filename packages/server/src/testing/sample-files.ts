/** The smallest files that are what they claim to be, or begin so. */

function zip(...names: readonly (readonly [name: string, content: string])[]): Buffer {
  return Buffer.concat(
    names.map(([name, content]) => {
      const header = Buffer.alloc(30)
      header.write('PK\x03\x04', 0, 'latin1')
      header.writeUInt32LE(content.length, 18)
      header.writeUInt32LE(content.length, 22)
      header.writeUInt16LE(name.length, 26)
      return Buffer.concat([header, Buffer.from(name), Buffer.from(content)])
    }),
  )
}

function ogg(codec: string): Buffer {
  const page = Buffer.alloc(28)
  page.write('OggS', 0, 'latin1')
  page[26] = 1
  page[27] = codec.length
  return Buffer.concat([page, Buffer.from(codec, 'latin1')])
}

function mp4(brand: string): Buffer {
  return Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}\0\0\x02\0isomiso2`, 'latin1')])
}

function office(folder: string, main: string): Buffer {
  return zip(['[Content_Types].xml', '<Types/>'], ['_rels/.rels', '<R/>'], [`${folder}/${main}.xml`, '<x/>'])
}

const latin = (text: string) => Buffer.from(text, 'latin1')

/** One file of each format that may be sent, by the name of the format. */
export const samples = {
  jpeg: latin('\xff\xd8\xff\xe0\0\x10JFIF\0'),
  png: latin('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'),
  webp: latin('RIFF\x10\0\0\0WEBPVP8 '),
  pdf: latin('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'),
  docx: office('word', 'document'),
  xlsx: office('xl', 'workbook'),
  pptx: office('ppt', 'presentation'),
  odt: zip(['mimetype', 'application/vnd.oasis.opendocument.text']),
  ods: zip(['mimetype', 'application/vnd.oasis.opendocument.spreadsheet']),
  odp: zip(['mimetype', 'application/vnd.oasis.opendocument.presentation']),
  doc: Buffer.from('d0cf11e0a1b11ae1000000', 'hex'),
  xls: Buffer.from('d0cf11e0a1b11ae1000000', 'hex'),
  ppt: Buffer.from('d0cf11e0a1b11ae1000000', 'hex'),
  text: Buffer.from('Grüße aus Köln\n'),
  csv: Buffer.from('name;town\nJané;Köln\n', 'latin1'),
  opus: ogg('OpusHead\x01'),
  ogg: ogg('\x01vorbis'),
  mp3: latin('ID3\x04\0\0\0\0\0\0'),
  m4a: mp4('M4A '),
  aac: latin('\xff\xf1\x50\x80\x02\x1f\xfc'),
  amr: latin('#!AMR\n<'),
  wav: latin('RIFF\x24\0\0\0WAVEfmt '),
  flac: latin('fLaC\0\0\0"'),
  mp4: mp4('isom'),
} as const

/** Files that may not be sent, by what they are. */
export const strangers = {
  nothing: Buffer.alloc(0),
  gif: latin('GIF89a\x01\0\x01\0'),
  'a program of Windows': latin('MZ\x90\0\x03\0\0\0\x04'),
  'a program of Linux': latin('\x7fELF\x02\x01\x01\0'),
  'a packed file': latin('\x1f\x8b\x08\0\0\0\0\0'),
  'a zip of anything': zip(['evil.exe', 'MZ']),
  'a zip that hides a program before its office part': zip(['run.exe', 'MZ'], ['word/document.xml', '<x/>']),
  'a Java archive': zip(['META-INF/MANIFEST.MF', 'x'], ['[Content_Types].xml', 'x']),
  'an OpenDocument drawing': zip(['mimetype', 'application/vnd.oasis.opendocument.graphics']),
  'a web page': Buffer.from('\n <!DOCTYPE html><title>Sign in</title>'),
  'a web page with a byte order mark': Buffer.from('\ufeff<html>'),
  'a web page behind a harmless line': Buffer.from('Hello\n  <HTML lang="en"><body>Sign in</body>'),
  'a script of a page behind a harmless line': Buffer.from('Hello\n<script>alert(1)</script>'),
  'a drawing in XML': Buffer.from('<?xml version="1.0"?><svg/>'),
  'a shell script': Buffer.from('#!/bin/sh\nexit\n'),
  'text with a control character': Buffer.from('hello\x01world'),
  'text with a NUL': Buffer.from('hello\0'),
  'an Ogg video': ogg('\x80theora'),
  'a film of QuickTime': mp4('qt  '),
  'a photo of HEIF': mp4('heic'),
  'a RIFF of something else': latin('RIFF\x10\0\0\0AVI '),
  'a frame of MPEG layer 2': latin('\xff\xfd\x90\x64\0\0'),
  'the beginning of a JPEG': latin('\xff\xd8\0'),
} as const
