/** A format of files, recognized by their bytes. */
export interface Format {
  readonly name: FormatName
  /** The usual type of it, e.g. `image/jpeg`. */
  readonly mimetype: string
  /** Endings of its names, the usual one first. */
  readonly extensions: readonly string[]
  /** Other types of the same format, which a caller may give it instead. */
  readonly otherTypes: readonly string[]
}

const office = 'application/vnd.openxmlformats-officedocument'
const open = 'application/vnd.oasis.opendocument'
const microsoft = 'application/vnd.ms'

function format<const Name extends string>(
  name: Name,
  mimetype: string,
  extensions: readonly string[],
  otherTypes: readonly string[] = [],
) {
  return { name, mimetype, extensions, otherTypes }
}

/** Types of the documents with macros and the templates that an Office program writes beside its usual ones. */
function officeTypes(program: string, kinds: readonly string[], templates: readonly string[]): string[] {
  return [...kinds.map((kind) => `${microsoft}-${program}.${kind}.12`), ...templates.map((name) => `${office}.${name}`)]
}

const wordTypes = officeTypes('word', ['document.macroenabled', 'template.macroenabled'], ['wordprocessingml.template'])
const excelTypes = officeTypes(
  'excel',
  ['sheet.macroenabled', 'sheet.binary.macroenabled', 'template.macroenabled'],
  ['spreadsheetml.template'],
)
const powerpointTypes = officeTypes(
  'powerpoint',
  ['presentation.macroenabled', 'slideshow.macroenabled'],
  ['presentationml.slideshow', 'presentationml.template'],
)

/**
 * The formats that may be sent (specification, SEND_FILE_TYPE_NOT_ALLOWED): photos, PDFs, Office files, text and CSV,
 * voice notes and audio, MP4 video.
 */
export const formats = {
  jpeg: format('jpeg', 'image/jpeg', ['jpg', 'jpeg', 'jpe', 'jfif'], ['image/jpg', 'image/pjpeg']),
  png: format('png', 'image/png', ['png'], ['image/x-png']),
  webp: format('webp', 'image/webp', ['webp']),
  pdf: format('pdf', 'application/pdf', ['pdf'], ['application/x-pdf']),
  docx: format('docx', `${office}.wordprocessingml.document`, ['docx', 'docm', 'dotx', 'dotm'], wordTypes),
  xlsx: format('xlsx', `${office}.spreadsheetml.sheet`, ['xlsx', 'xlsm', 'xlsb', 'xltx', 'xltm'], excelTypes),
  pptx: format(
    'pptx',
    `${office}.presentationml.presentation`,
    ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx'],
    powerpointTypes,
  ),
  odt: format('odt', `${open}.text`, ['odt', 'ott'], [`${open}.text-template`]),
  ods: format('ods', `${open}.spreadsheet`, ['ods', 'ots'], [`${open}.spreadsheet-template`]),
  odp: format('odp', `${open}.presentation`, ['odp', 'otp'], [`${open}.presentation-template`]),
  // The three old formats have the same head; the name of the file distinguishes them.
  doc: format('doc', 'application/msword', ['doc', 'dot']),
  xls: format('xls', `${microsoft}-excel`, ['xls', 'xlt'], ['application/msexcel']),
  ppt: format('ppt', `${microsoft}-powerpoint`, ['ppt', 'pps', 'pot'], ['application/mspowerpoint']),
  text: format(
    'text',
    'text/plain',
    ['txt', 'text', 'log', 'md', 'tsv'],
    ['text/markdown', 'text/tab-separated-values', 'text/csv'],
  ),
  csv: format('csv', 'text/csv', ['csv'], ['text/plain', 'text/comma-separated-values', 'application/csv']),
  opus: format('opus', 'audio/ogg; codecs=opus', ['ogg', 'oga', 'opus'], ['audio/ogg', 'audio/opus']),
  ogg: format('ogg', 'audio/ogg', ['ogg', 'oga', 'spx'], ['audio/vorbis', 'audio/speex', 'application/ogg']),
  mp3: format('mp3', 'audio/mpeg', ['mp3', 'mpga'], ['audio/mp3', 'audio/x-mp3', 'audio/mpeg3']),
  m4a: format('m4a', 'audio/mp4', ['m4a', 'm4b'], ['audio/m4a', 'audio/x-m4a']),
  aac: format('aac', 'audio/aac', ['aac'], ['audio/x-aac', 'audio/aacp']),
  amr: format('amr', 'audio/amr', ['amr'], ['audio/amr-nb', 'audio/amr-wb']),
  wav: format('wav', 'audio/wav', ['wav'], ['audio/x-wav', 'audio/wave', 'audio/vnd.wave']),
  flac: format('flac', 'audio/flac', ['flac'], ['audio/x-flac']),
  mp4: format('mp4', 'video/mp4', ['mp4', 'm4v'], ['video/x-m4v']),
} as const

export type FormatName = keyof typeof formats
