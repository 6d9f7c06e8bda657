/** What a file is, by its bytes. */
export interface Format {
  readonly name: FormatName
  /** The usual type of it, e.g. `image/jpeg`. */
  readonly mimetype: string
  /** Endings of its names, the usual one first. */
  readonly extensions: readonly string[]
  /** Types that a caller may give it instead. */
  readonly mayBe: RegExp
}

const office = 'application/vnd.openxmlformats-officedocument'
const anyOffice = /^application\/(?:msword|vnd\.(?:ms-|openxmlformats-officedocument\.|oasis\.opendocument\.))/

function format<const Name extends string>(name: Name, mimetype: string, extensions: string[], mayBe: RegExp) {
  return { name, mimetype, extensions, mayBe }
}

/**
 * The formats that may be sent (specification, SEND_FILE_TYPE_NOT_ALLOWED): photos, PDFs, Office files, text and CSV,
 * voice notes and audio, MP4 video.
 */
export const formats = {
  jpeg: format('jpeg', 'image/jpeg', ['jpg', 'jpeg', 'jpe', 'jfif'], /^image\//),
  png: format('png', 'image/png', ['png'], /^image\//),
  webp: format('webp', 'image/webp', ['webp'], /^image\//),
  pdf: format('pdf', 'application/pdf', ['pdf'], /^application\/(?:x-)?pdf/),
  docx: format('docx', `${office}.wordprocessingml.document`, ['docx', 'docm', 'dotx', 'dotm'], anyOffice),
  xlsx: format('xlsx', `${office}.spreadsheetml.sheet`, ['xlsx', 'xlsm', 'xlsb', 'xltx', 'xltm'], anyOffice),
  pptx: format('pptx', `${office}.presentationml.presentation`, ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx'], anyOffice),
  odt: format('odt', 'application/vnd.oasis.opendocument.text', ['odt', 'ott'], anyOffice),
  ods: format('ods', 'application/vnd.oasis.opendocument.spreadsheet', ['ods', 'ots'], anyOffice),
  odp: format('odp', 'application/vnd.oasis.opendocument.presentation', ['odp', 'otp'], anyOffice),
  // The three old forms begin alike and differ only deep inside; the name of the file tells them apart.
  doc: format('doc', 'application/msword', ['doc', 'dot'], anyOffice),
  xls: format('xls', 'application/vnd.ms-excel', ['xls', 'xlt'], anyOffice),
  ppt: format('ppt', 'application/vnd.ms-powerpoint', ['ppt', 'pps', 'pot'], anyOffice),
  text: format('text', 'text/plain', ['txt', 'text', 'log', 'md', 'tsv'], /^text\/(?!html|xml|javascript)/),
  csv: format('csv', 'text/csv', ['csv'], /^text\/(?!html|xml|javascript)/),
  opus: format('opus', 'audio/ogg; codecs=opus', ['ogg', 'oga', 'opus'], /^audio\//),
  ogg: format('ogg', 'audio/ogg', ['ogg', 'oga', 'spx'], /^audio\//),
  mp3: format('mp3', 'audio/mpeg', ['mp3', 'mpga'], /^audio\//),
  m4a: format('m4a', 'audio/mp4', ['m4a', 'm4b'], /^audio\//),
  aac: format('aac', 'audio/aac', ['aac'], /^audio\//),
  amr: format('amr', 'audio/amr', ['amr'], /^audio\//),
  wav: format('wav', 'audio/wav', ['wav'], /^audio\//),
  flac: format('flac', 'audio/flac', ['flac'], /^audio\//),
  mp4: format('mp4', 'video/mp4', ['mp4', 'm4v'], /^video\//),
} as const

export type FormatName = keyof typeof formats
