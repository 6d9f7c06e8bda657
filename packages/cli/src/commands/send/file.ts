import { mediaFields } from '../../input/media.ts'
import { type FileOptions, fileFields, fileOptions, send, sendVerb } from './direct-call.ts'

/** `send file`. */
export const fileVerb = sendVerb(
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
)
