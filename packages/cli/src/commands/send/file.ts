import type { Command } from 'commander'
import { mediaFields } from '../../input/media.ts'
import type { Run } from '../../program.ts'
import { addFile, type FileOptions, fileFields, send } from './direct-call.ts'

/** Adds `send file`. */
export function registerFile(parent: Command, run: Run): void {
  addFile(
    parent,
    'file <phone> <file>',
    'send a file, local or from a public link',
    'msgctl send file +12025550100 ./invoice-7.pdf --filename "Invoice 7.pdf" --reference order-7',
    'msgctl send file +12025550100 https://example.com/7.pdf',
  ).action(
    run((context, phone: string, file: string, options: FileOptions) =>
      send(context, phone, options, async (client, envelope, settings) => {
        const media = await mediaFields(context, client, 'fileUrl', file)
        return client.alert.sendFile.withResponse({ ...media, ...fileFields(options), ...envelope }, settings)
      }),
    ),
  )
}
