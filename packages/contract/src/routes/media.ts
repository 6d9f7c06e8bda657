import * as z from 'zod'
import * as cast from '../examples/cast.ts'
import * as example from '../examples/messages.ts'
import { named } from '../model/envelope.ts'
import {
  clientReference,
  containerId,
  httpUrl,
  messageText,
  phone,
  phoneNumber,
  text,
  unique,
  uuid,
} from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { route } from '../route.ts'
import { directAnswer, directErrors, fileErrors } from './direct.ts'

const envelope = { phone, containerId, clientReference }
const caption = text(0, limits.caption).optional().describe('Caption, up to 1024 characters.')
const filename = text(1, limits.filename).optional().describe('The name the recipient sees, up to 255 characters.')
const mimetype = text(1, limits.mimetype)
  .optional()
  .describe('Type of the file, like image/png (default: detected from its content).')
const file = { caption, filename, mimetype }
const mediaId = uuid.optional()

type FileBody<Field extends string> = { readonly [K in Field]?: unknown } & { readonly mediaId?: unknown }

/** Returns what a refinement needs to require the link in `field` where no uploaded file is given. */
function required<const Field extends string>(field: Field) {
  const isGiven = (body: FileBody<Field>) => body[field] !== undefined || body.mediaId !== undefined
  const error = 'is required, unless mediaId is given'
  // It is reported beside other faults, as other required fields are.
  const when = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null
  return [isGiven, { error, path: [field] as string[], params: { code: 'required' }, when }] as const
}

/** Returns what a refinement needs to refuse an uploaded file beside the link in `field`. */
function notBoth<const Field extends string>(field: Field) {
  const isOne = (body: FileBody<Field>) => body[field] === undefined || body.mediaId === undefined
  return [isOne, { error: 'must not be given together with mediaId', path: [field] as string[] }] as const
}
const uploaded = (instead: string) => mediaId.describe(`A file from POST /media, instead of ${instead}.`)

const direct = {
  access: { feature: 'media', keys: 'any' },
  status: 201,
  response: directAnswer,
  sends: 'direct',
} as const
const mediaErrors = [...directErrors, ...fileErrors] as const

const contactCard = named('ContactCard', 'A contact card to send.', {
  fullName: text(1, limits.contactCardName).describe('Name on the card.'),
  phone: phoneNumber,
  organization: text(1, limits.contactCardName).optional().describe('Organization on the card.'),
  email: z.email().max(limits.email).optional().describe('E-mail address on the card.'),
  url: httpUrl.optional().describe('Web address on the card.'),
})

const options = unique(
  z.array(text(1, limits.poll.option)).min(limits.poll.minOptions).max(limits.poll.maxOptions),
).describe('2 to 12 different options, up to 100 characters each.')

/** Direct sends: they go out inside the request, without the queue and the typing indicator. */
export const directSends = {
  /**
   * Sends a photo at once: JPEG, PNG or WebP up to 16 MiB, from a public link or uploaded. Needs Developer. Problems
   * with the file return SEND_FILE_*; a network failure carries `details.messageId` and `details.outcome`.
   */
  sendImage: route('POST /alert/send-image', {
    ...direct,
    summary: 'Send a photo',
    body: z
      .object({
        imageUrl: httpUrl.optional().describe('Public link to a JPEG, PNG or WebP.'),
        mediaId: uploaded('imageUrl'),
        ...file,
        ...envelope,
      })
      .refine(...required('imageUrl'))
      .refine(...notBoth('imageUrl')),
    errors: mediaErrors,
    idempotent: true,
    example: {
      input: { phone: cast.jane.typed, imageUrl: cast.receipt.imageUrl, caption: 'Your receipt' },
      output: example.sent,
    },
    msgctl: `msgctl send image ${cast.jane.typed} ${cast.receipt.imageUrl} --caption "Your receipt"`,
  }),

  /**
   * Sends a video at once: MP4 up to 16 MiB, from a public link or uploaded. Needs Developer. File problems return
   * SEND_FILE_*.
   */
  sendVideo: route('POST /alert/send-video', {
    ...direct,
    summary: 'Send a video',
    body: z
      .object({
        videoUrl: httpUrl.optional().describe('Public link to an MP4.'),
        mediaId: uploaded('videoUrl'),
        ...file,
        ...envelope,
      })
      .refine(...required('videoUrl'))
      .refine(...notBoth('videoUrl')),
    errors: mediaErrors,
    idempotent: true,
    example: {
      input: { phone: cast.jane.typed, videoUrl: 'https://example.com/tour.mp4', caption: 'The house tour' },
      output: example.sent,
    },
    msgctl: `msgctl send video ${cast.jane.typed} https://example.com/tour.mp4 --caption "The house tour"`,
  }),

  /**
   * Sends a file at once, up to 100 MiB from a public link or 16 MiB uploaded: photos, PDF, Office, text, CSV, audio or
   * MP4. Needs Developer. File problems return SEND_FILE_*.
   */
  sendFile: route('POST /alert/send-file', {
    ...direct,
    summary: 'Send a file',
    body: z
      .object({
        fileUrl: httpUrl.optional().describe('Public link to the file.'),
        mediaId: uploaded('fileUrl'),
        ...file,
        ...envelope,
      })
      .refine(...required('fileUrl'))
      .refine(...notBoth('fileUrl')),
    errors: mediaErrors,
    idempotent: true,
    example: {
      input: { phone: cast.jane.typed, fileUrl: 'https://example.com/invoices/1042.pdf', filename: 'Invoice 1042.pdf' },
      output: example.sent,
    },
    msgctl: `msgctl send file ${cast.jane.typed} https://example.com/invoices/1042.pdf --filename "Invoice 1042.pdf"`,
  }),

  /** Sends audio at once; OGG with Opus plays as a voice note. Needs Developer. File problems return SEND_FILE_*. */
  sendVoice: route('POST /alert/send-voice', {
    ...direct,
    summary: 'Send a voice note',
    body: z
      .object({
        audioUrl: httpUrl.optional().describe('Public link to the audio.'),
        mediaId: uploaded('audioUrl'),
        ...envelope,
      })
      .refine(...required('audioUrl'))
      .refine(...notBoth('audioUrl')),
    errors: mediaErrors,
    idempotent: true,
    example: { input: { phone: cast.jane.typed, audioUrl: 'https://example.com/greeting.ogg' }, output: example.sent },
    msgctl: `msgctl send voice ${cast.jane.typed} https://example.com/greeting.ogg`,
  }),

  /** Sends 1 to 10 contact cards at once. Needs Developer. */
  sendContact: route('POST /alert/send-contact', {
    ...direct,
    summary: 'Send contact cards',
    body: z.object({
      contacts: z.array(contactCard).min(1).max(limits.contactCards).describe('1 to 10 cards.'),
      ...envelope,
    }),
    errors: directErrors,
    idempotent: true,
    example: {
      input: {
        phone: cast.jane.typed,
        contacts: [{ fullName: cast.jose.name, phone: cast.jose.typed, email: 'jose@example.com' }],
      },
      output: example.sent,
    },
    msgctl: `msgctl send contact ${cast.jane.typed} "${cast.jose.name}:${cast.jose.typed}" --email jose@example.com`,
  }),

  /** Sends a location at once. Needs Developer. */
  sendLocation: route('POST /alert/send-location', {
    ...direct,
    summary: 'Send a location',
    body: z.object({
      latitude: z.number().min(-90).max(90).describe('Degrees north, -90 to 90.'),
      longitude: z.number().min(-180).max(180).describe('Degrees east, -180 to 180.'),
      name: text(1, limits.location.name).optional().describe('Name of the place.'),
      address: text(1, limits.location.address).optional().describe('Address of the place.'),
      ...envelope,
    }),
    errors: directErrors,
    idempotent: true,
    example: {
      input: { phone: cast.jane.typed, latitude: 38.8894, longitude: -77.0352, name: 'Our shop' },
      output: example.sent,
    },
    msgctl: `msgctl send location ${cast.jane.typed} 38.8894 -77.0352 --name "Our shop"`,
  }),

  /** Sends a link with a preview at once. A message without the link gets it on a line of its own. Needs Developer. */
  sendLink: route('POST /alert/send-link', {
    ...direct,
    summary: 'Send a link with a preview',
    body: z.object({
      url: httpUrl.describe('The link.'),
      message: messageText.optional().describe('Text around the link, up to 4096 characters.'),
      title: text(1, limits.link.title).optional().describe('Title of the preview.'),
      description: text(1, limits.link.description).optional().describe('Text of the preview.'),
      imageUrl: httpUrl.optional().describe('Public link to the picture of the preview.'),
      mediaId: mediaId.describe('The picture of the preview from POST /media, instead of imageUrl.'),
      ...envelope,
    }),
    errors: mediaErrors,
    idempotent: true,
    example: {
      input: { phone: cast.jane.typed, url: 'https://example.com/orders/1042', message: 'Follow your order here:' },
      output: example.sent,
    },
    msgctl: `msgctl send link ${cast.jane.typed} https://example.com/orders/1042 "Follow your order here:"`,
  }),

  /** Sends a poll with 2 to 12 options at once; each vote is an event poll.vote. Needs Developer. */
  sendPoll: route('POST /alert/send-poll', {
    ...direct,
    summary: 'Send a poll',
    body: z.object({
      question: text(1, limits.poll.question).describe('The question.'),
      options,
      multipleAnswers: z.boolean().default(false).describe('Whether a contact may choose several options.'),
      ...envelope,
    }),
    errors: directErrors,
    idempotent: true,
    example: {
      input: {
        phone: cast.jane.typed,
        question: 'When may we call you?',
        options: ['In the morning', 'In the evening'],
      },
      output: example.sent,
    },
    msgctl: `msgctl send poll ${cast.jane.typed} "When may we call you?" "In the morning" "In the evening"`,
  }),
}
