import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { addFile, type FileOptions, fileFields, send } from './direct-call.ts'

/** Adds `send file`. */
export function registerFile(parent: Command, run: Run): void {
  addFile(
    parent,
    'file <phone> <url>',
    'send a file from a public URL',
    'msgctl send file +12025550100 https://example.com/7.pdf --filename "Invoice 7.pdf" --reference order-7',
  ).action(
    run((context, phone: string, fileUrl: string, options: FileOptions) =>
      send(context, phone, options, (client, envelope, settings) =>
        client.alert.sendFile.withResponse({ fileUrl, ...fileFields(options), ...envelope }, settings),
      ),
    ),
  )
}
