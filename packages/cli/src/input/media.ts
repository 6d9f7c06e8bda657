import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { MessagingClient } from '@msgctl/client'
import { limits } from '@msgctl/contract/limits'
import type { Context } from '../context.ts'
import { usageFailure } from '../errors/exit-codes.ts'
import type { Host } from '../host.ts'

/** A local file to upload. */
interface LocalFile {
  readonly content: Uint8Array
  readonly filename: string
}

/** The fields of a send that name its file: the link in `field`, or an upload. */
export type MediaFields<Field extends string> =
  | ({ readonly [K in Field]: string } & { readonly mediaId?: undefined })
  | ({ readonly [K in Field]?: undefined } & { readonly mediaId: string })

function isLink(typed: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(typed)
}

/** Reads a file to upload. Throws a usage error when it cannot be read, or is larger than the service takes. */
export function readLocalFile(host: Host, typed: string): LocalFile {
  const where = path.resolve(host.cwd, typed)
  const mib = limits.media.bytes / 1024 ** 2
  try {
    const { size } = statSync(where)
    if (size <= limits.media.bytes) return { content: readFileSync(where), filename: path.basename(where) }
  } catch (error) {
    const advice = 'Pass the path of a local file, or a public link that begins with https://.'
    const { code, message } = error as NodeJS.ErrnoException
    throw usageFailure(`Cannot read the file ${typed}: ${code === 'ENOENT' ? 'it does not exist' : message}`, advice)
  }
  throw usageFailure(`The file ${typed} is larger than ${mib} MiB.`, 'Publish it, and pass the link to it.')
}

/**
 * Returns the fields for a file that was typed as a link or as a path; a local file is uploaded first. A dry run
 * uploads nothing, and shows the file in place of its id.
 */
export async function mediaFields<const Field extends string>(
  context: Context,
  client: MessagingClient,
  field: Field,
  typed: string,
): Promise<MediaFields<Field>> {
  if (isLink(typed)) return { [field]: typed } as MediaFields<Field>
  const file = readLocalFile(context.host, typed)
  const mediaId = context.options.dryRun
    ? `(upload of ${file.filename})`
    : (await client.media.upload(file, { signal: context.host.signal })).mediaId
  return { mediaId } as MediaFields<Field>
}
