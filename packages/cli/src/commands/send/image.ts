import type { Command } from 'commander'
import { mediaFields } from '../../input/media.ts'
import type { Run } from '../../program.ts'
import { addFile, type FileOptions, fileFields, send } from './direct-call.ts'

/** Adds `send image`. */
export function registerImage(parent: Command, run: Run): void {
  addFile(
    parent,
    'image <phone> <file>',
    'send a photo, local or from a public link: JPEG, PNG or WebP',
    'msgctl send image +12025550100 ./menu.png --caption "Our new menu"',
    'msgctl send image +12025550100 https://example.com/menu.png',
  ).action(
    run((context, phone: string, file: string, options: FileOptions) =>
      send(context, phone, options, async (client, envelope, settings) => {
        const media = await mediaFields(context, client, 'imageUrl', file)
        return client.alert.sendImage.withResponse({ ...media, ...fileFields(options), ...envelope }, settings)
      }),
    ),
  )
}
