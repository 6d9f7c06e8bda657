import { mediaFields } from '../../input/media.ts'
import { type FileOptions, fileFields, fileOptions, send, sendVerb } from './direct-call.ts'

/** `send video`. */
export const videoVerb = sendVerb(
  'video <phone> <file>',
  'send an MP4 video, local or from a public link',
  (context, phone: string, file: string, options: FileOptions) =>
    send(context, phone, options, async (client, envelope, settings) => {
      const media = await mediaFields(context, client, 'videoUrl', file)
      return client.alert.sendVideo.withResponse({ ...media, ...fileFields(options), ...envelope }, settings)
    }),
  ['msgctl send video +12025550100 ./tour.mp4'],
  fileOptions,
)
