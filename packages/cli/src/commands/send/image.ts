import { mediaFields } from '../../input/media.ts'
import { type FileOptions, fileFields, fileOptions, send, sendVerb } from './direct-call.ts'

/** `send image`. */
export const imageVerb = sendVerb(
  'image <phone> <file>',
  'send a photo, local or from a public link: JPEG, PNG or WebP',
  (context, phone: string, file: string, options: FileOptions) =>
    send(context, phone, options, async (client, envelope, settings) => {
      const media = await mediaFields(context, client, 'imageUrl', file)
      return client.alert.sendImage.withResponse({ ...media, ...fileFields(options), ...envelope }, settings)
    }),
  [
    'msgctl send image +12025550100 ./menu.png --caption "Our new menu"',
    'msgctl send image +12025550100 https://example.com/menu.png',
  ],
  fileOptions,
)
