import type { Context } from '../../context.ts'
import { readLocalFile } from '../../input/media.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'

const columns = defineColumns(
  'mediaId as Media, filename as Name, mimetype as Type, sizeBytes as Bytes, expiresAt as Expires',
)

async function upload(context: Context, file: string): Promise<void> {
  const client = await context.client()
  const { success: _always, ...uploaded } = await client.media.upload(readLocalFile(context.host, file), {
    signal: context.host.signal,
  })
  await context.print.record(uploaded, columns)
}

/** Adds the verbs of `media`. */
export const register = verb(
  'upload <file>',
  'upload a file of up to 16 MiB, to send it within a day',
  upload,
  ['msgctl media upload ./menu.pdf', 'msgctl media upload ./menu.pdf --output plain --fields mediaId'],
  (command) =>
    command.addHelpText('after', '\nThe commands of msgctl send take a local file themselves, and upload it first.'),
)
