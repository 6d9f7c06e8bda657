import { mediaFields } from '../../input/media.ts'
import { verbs } from '../../program.ts'
import { type FileOptions, fileFields, fileOptions, type Options, send, sendVerb } from './direct-call.ts'

/** `send image|video|file|voice`. */
export const mediaVerbs = verbs(
  sendVerb(
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
  ),
  sendVerb(
    'video <phone> <file>',
    'send an MP4 video, local or from a public link',
    (context, phone: string, file: string, options: FileOptions) =>
      send(context, phone, options, async (client, envelope, settings) => {
        const media = await mediaFields(context, client, 'videoUrl', file)
        return client.alert.sendVideo.withResponse({ ...media, ...fileFields(options), ...envelope }, settings)
      }),
    ['msgctl send video +12025550100 ./tour.mp4'],
    fileOptions,
  ),
  sendVerb(
    'file <phone> <file>',
    'send a file, local or from a public link',
    (context, phone: string, file: string, options: FileOptions) =>
      send(context, phone, options, async (client, envelope, settings) => {
        const media = await mediaFields(context, client, 'fileUrl', file)
        return client.alert.sendFile.withResponse({ ...media, ...fileFields(options), ...envelope }, settings)
      }),
    [
      'msgctl send file +12025550100 ./invoice-7.pdf --filename "Invoice 7.pdf" --reference order-7',
      'msgctl send file +12025550100 https://example.com/7.pdf',
    ],
    fileOptions,
  ),
  sendVerb(
    'voice <phone> <file>',
    'send audio, local or from a public link; OGG with Opus plays as a voice note',
    (context, phone: string, file: string, options: Options) =>
      send(context, phone, options, async (client, envelope, settings) => {
        const media = await mediaFields(context, client, 'audioUrl', file)
        return client.alert.sendVoice.withResponse({ ...media, ...envelope }, settings)
      }),
    ['msgctl send voice +12025550100 ./hello.ogg'],
  ),
)
