import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { resolveReceivedId } from './reference.ts'

const columns = defineColumns('file, mimetype as Type, sizeBytes as Bytes')

interface DownloadOptions {
  readonly file?: string
}

/** The name comes from a stranger: it must not name a folder, or a hidden file. */
function safeName(filename: string): string {
  return path.basename(filename.replaceAll('\\', '/')).replace(/^\.+/, '') || 'attachment'
}

/** Writes the file. One that is there already is kept, unless it is the same. */
function save(cwd: string, name: string, content: Uint8Array): void {
  const where = path.resolve(cwd, name)
  try {
    writeFileSync(where, content, { flag: 'wx' })
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST'
    if (!isThere) throw usageFailure(`Cannot write the file ${name}: ${(error as Error).message}`)
    if (statSync(where).size === content.byteLength && readFileSync(where).equals(content)) return
    throw usageFailure(`Another file ${name} is there already.`, 'Pass another name with --file.')
  }
}

async function download(context: Context, reference: string, { file }: DownloadOptions): Promise<void> {
  const { host, print } = context
  const client = await context.client()
  const id = await resolveReceivedId(client, reference, host.signal)
  const { content, mimetype, filename } = await client.chats.attachment({ id }, { signal: host.signal })
  if (file === '-') {
    host.stdout.write(content)
    return
  }
  const name = file ?? safeName(filename)
  save(host.cwd, name, content)
  await print.record({ file: name, mimetype, sizeBytes: content.byteLength }, columns)
}

/** `chats download`. */
export const downloadVerb = verb(
  'download <message>',
  'download the file that came with a message',
  download,
  [
    'msgctl chats download 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
    'msgctl chats download 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --file - | file -',
  ],
  (command) =>
    command.option('--file <file>', 'where to save it, or - for stdout (default: the name that the sender gave it)'),
)
