import type { FormatName } from './format.ts'

const entryMark = Buffer.from('PK\x03\x04', 'latin1')
const openDocument = 'application/vnd.oasis.opendocument.'
const openDocumentKinds = { text: 'odt', spreadsheet: 'ods', presentation: 'odp' } as const
const officeFolders = { word: 'docx', xl: 'xlsx', ppt: 'pptx' } as const
/** What the packages that Office programs write begin with. */
const officeFirst = /^(?:\[Content_Types\]\.xml$|_rels\/|docProps\/|customXml\/|word\/|xl\/|ppt\/)/

/**
 * Returns the Office format of a zip by the names of its first entries, or null for any other zip. Nothing is unpacked,
 * so a zip bomb has no effect.
 */
export function recognizeZip(head: Buffer): FormatName | null {
  const names = entryNames(head)
  const [first = ''] = names
  if (first === 'mimetype') return byStoredType(head)
  if (!officeFirst.test(first)) return null
  for (const name of names) {
    const folder = /^(word|xl|ppt)\//.exec(name)?.[1]
    if (folder !== undefined) return officeFolders[folder as keyof typeof officeFolders]
  }
  return null
}

/** Names of the entries whose beginning lies in `head`, in their order. */
function entryNames(head: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; at !== -1; at = head.indexOf(entryMark, at + entryMark.length)) {
    if (at + 30 > head.length) break
    names.push(head.toString('latin1', at + 30, at + 30 + head.readUInt16LE(at + 26)))
  }
  return names
}

/** OpenDocument files begin with an entry that is not packed and holds their type. */
function byStoredType(head: Buffer): FormatName | null {
  const stored = head.toString('latin1', 38, 38 + 100)
  if (!stored.startsWith(openDocument)) return null
  const kind = /^[a-z]+/.exec(stored.slice(openDocument.length))?.[0] ?? ''
  return openDocumentKinds[kind as keyof typeof openDocumentKinds] ?? null
}
