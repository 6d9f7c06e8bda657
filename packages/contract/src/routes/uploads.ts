import * as z from 'zod'
import * as cast from '../examples/cast.ts'
import { ok } from '../model/envelope.ts'
import { at, count, text } from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { route } from '../route.ts'

export const media = {
  /**
   * Stores a file of up to 16 MiB for 24 hours, and returns the `mediaId` that the send routes take instead of a link.
   * Needs Developer. Send JSON with the file in base64, multipart/form-data with a part `file` and at most 10 parts,
   * or the bytes alone with their Content-Type. FORBIDDEN_ACTION when the organization stores 256 MiB already.
   */
  upload: route('POST /media', {
    summary: 'Upload a file to send',
    access: { feature: 'media', keys: 'account' },
    body: z.object({
      content: z
        .string()
        .min(1)
        .max(limits.media.base64Characters, { abort: true })
        .describe('The bytes of the file in base64, up to 16 MiB before the encoding.')
        .meta({ contentEncoding: 'base64' }),
      filename: text(1, limits.filename).optional().describe('The name of the file, up to 255 characters.'),
      mimetype: text(1, limits.mimetype)
        .optional()
        .describe('Type of the file, like image/png (default: detected from its content).'),
    }),
    status: 201,
    response: ok({
      mediaId: z.uuid().describe('The file, for the send routes.'),
      expiresAt: at('Until when it can be sent.'),
      filename: z.string().describe('The name that the recipient sees.'),
      mimetype: z.string().describe('Type of the file, as detected from its content.'),
      sizeBytes: count('Size of the file in bytes.'),
    }).meta({ id: 'UploadedMedia', description: 'A file that was uploaded to be sent.' }),
    errors: ['FILE_TOO_LARGE', 'SEND_FILE_TYPE_NOT_ALLOWED', 'FORBIDDEN_ACTION'],
    // An upload that nothing refers to has no effect, so it can be repeated.
    reads: true,
    upload: true,
    timeoutMs: 60_000,
    example: {
      input: { content: cast.smallPicture, filename: 'Receipt 1042.png' },
      output: { ...cast.uploadedPicture },
    },
    msgctl: 'msgctl media upload "./Receipt 1042.png"',
  }),
}
