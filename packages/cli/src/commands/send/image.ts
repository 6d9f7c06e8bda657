import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { addFile, type FileOptions, fileFields, send } from './direct-call.ts'

/** Adds `send image`. */
export function registerImage(parent: Command, run: Run): void {
  addFile(
    parent,
    'image <phone> <url>',
    'send a photo from a public URL: JPEG, PNG or WebP',
    'msgctl send image +12025550100 https://example.com/menu.png --caption "Our new menu"',
  ).action(
    run((context, phone: string, imageUrl: string, options: FileOptions) =>
      send(context, phone, options, (client, envelope, settings) =>
        client.alert.sendImage.withResponse({ imageUrl, ...fileFields(options), ...envelope }, settings),
      ),
    ),
  )
}
