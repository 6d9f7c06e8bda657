import * as z from 'zod'
import * as cast from '../examples/cast.ts'
import * as example from '../examples/numbers.ts'
import { named } from '../model/envelope.ts'
import { containerId, count, httpUrl, pageOf, pageQuery, phoneNumber, text, uuid } from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { numberReasonSentences } from '../model/number-reasons.ts'
import { route } from '../route.ts'
import { fileErrors } from './direct.ts'
import { connectionChange, connectionState, numberId, qrAnswer } from './number-records.ts'

const keyed = { keys: 'any' } as const
/** Keys act as an admin. */
const changing = { keys: 'any', roles: ['owner', 'admin'] } as const
const chosen = ['NO_SESSION_CONFIGURED', 'NOT_FOUND'] as const
const gateway = ['GATEWAY_ERROR', 'GATEWAY_UNREACHABLE', 'UPSTREAM_TIMEOUT'] as const
const which = z.object({ containerId })
const message = z.string().describe('What happens now, for a person.')

const profile = named('NumberProfile', 'What others see of a number on the network.', {
  containerId: numberId,
  id: z.string().describe("The network's own id of the account."),
  name: z.string().nullable().describe('The name others see.'),
  about: z.string().nullable().describe('The text under the name.'),
  pictureUrl: z.string().nullable().describe('Link to the picture.'),
})

/** The routes that link and connect a number. Their responses carry no `success`. */
export const connectionRoutes = {
  /** Returns the state of a number's connection and the recommended action. */
  status: route('GET /session/status', {
    summary: 'Get the connection state of a number',
    access: keyed,
    query: which,
    response: connectionState,
    errors: chosen,
    example: { input: { containerId: cast.support.containerId }, output: example.connectionState },
    msgctl: `msgctl numbers status ${cast.support.label}`,
  }),

  /**
   * Returns the QR to scan while the number is SCAN_QR_CODE; each is valid for a minute. `format=raw` returns its text
   * instead of a picture. A linked number returns already_connected, any other state a message and a hint.
   */
  qr: route('GET /session/qr', {
    summary: 'Get the QR that links a number',
    access: keyed,
    query: z.object({
      format: z.enum(['image', 'raw']).default('image').describe('raw returns the text instead of a picture.'),
      containerId,
    }),
    response: qrAnswer,
    errors: [...chosen, ...gateway],
    secret: true,
    example: {
      input: { containerId: cast.sales.containerId },
      output: {
        status: 'SCAN_QR_CODE',
        qr: {
          image: 'data:image/png;base64,iVBORw0KGgo=',
          expiresInSeconds: 60,
          message: 'Open the app on the phone, choose Linked devices, and scan this code.',
        },
      },
    },
    msgctl: `msgctl numbers link ${cast.sales.label}`,
  }),

  /**
   * Returns an 8-character code that links a number without a camera. `@lid` is not accepted. Keys, owners and admins.
   * GATEWAY_UNREACHABLE while the host of the number does not respond.
   */
  pair: route('POST /session/pair', {
    summary: 'Get a pairing code',
    access: changing,
    body: z.object({ phone: phoneNumber, containerId }),
    response: z.object({
      status: z.literal('code_sent').describe('The network shows the code on the phone.'),
      code: z.string().length(8).describe('The code to type on the phone.'),
      message,
    }),
    errors: [...chosen, ...gateway, 'SESSION_NOT_CONNECTED', 'FORBIDDEN_ACTION'],
    secret: true,
    example: {
      input: { phone: `+${cast.sales.phone}`, containerId: cast.sales.containerId },
      output: { status: 'code_sent', code: 'K7QM4T2X', message: 'Enter this code on the phone under Linked devices.' },
    },
    msgctl: `msgctl numbers pair +${cast.sales.phone} --number ${cast.sales.label}`,
  }),

  /**
   * Starts a stopped or failed number. A number that runs already is left alone, with the same status in the response.
   * GATEWAY_UNREACHABLE while its host does not respond.
   */
  start: route('POST /session/start', {
    summary: 'Start a number',
    access: keyed,
    body: which,
    response: z.object({ status: z.literal('starting').describe('It is starting, or runs already.'), message }),
    errors: [...chosen, ...gateway, 'NO_ACTIVE_PRODUCT', 'PRODUCT_REQUIRED'],
    example: {
      input: { containerId: cast.support.containerId },
      output: { status: 'starting', message: 'The number is starting.' },
    },
    msgctl: `msgctl numbers start ${cast.support.label}`,
  }),

  /** Stops a number until it is started again; the link to the phone stays. Owners, admins and the account key. */
  stop: route('POST /session/stop', {
    summary: 'Stop a number',
    access: { keys: 'account', roles: ['owner', 'admin'] },
    body: which,
    response: z.object({
      status: z.literal('stopped').describe('It is stopped.'),
      message,
      containerId: numberId,
    }),
    errors: [...chosen, ...gateway],
    example: {
      input: { containerId: cast.support.containerId },
      output: {
        status: 'stopped',
        message: 'The number is stopped. Its link to the phone stays.',
        containerId: cast.support.containerId,
      },
    },
    msgctl: `msgctl numbers stop ${cast.support.label}`,
  }),

  /**
   * Restarts a stuck connection and keeps the link. A stopped number gets FORBIDDEN_ACTION (use start), one that waits
   * for its QR gets SESSION_NOT_CONNECTED.
   */
  reconnect: route('POST /session/reconnect', {
    summary: 'Reconnect a number',
    access: keyed,
    body: which,
    response: z.object({
      status: z.literal('starting').describe('It is starting.'),
      message,
      containerId: numberId,
    }),
    errors: [...chosen, ...gateway, 'FORBIDDEN_ACTION', 'SESSION_NOT_CONNECTED'],
    example: {
      input: { containerId: cast.support.containerId },
      output: {
        status: 'starting',
        message: 'The connection is being restarted.',
        containerId: cast.support.containerId,
      },
    },
    msgctl: `msgctl numbers reconnect ${cast.support.label}`,
  }),

  /**
   * Ends the link to the phone; the number must be linked again. What is queued for it waits, and is held when another
   * phone is linked, see `release`. Keys, owners and admins.
   */
  logout: route('POST /session/logout', {
    summary: 'Unlink a number',
    access: changing,
    body: which,
    response: z.object({
      status: z.literal('logged_out').describe('It is no longer linked.'),
      message,
      containerId: numberId,
      heldMessages: count('Messages that wait for it in the queue.'),
    }),
    errors: [...chosen, ...gateway, 'SESSION_NOT_CONNECTED'],
    example: {
      input: { containerId: cast.support.containerId },
      output: {
        status: 'logged_out',
        message: 'The number is no longer linked. Scan a new QR to link it again.',
        containerId: cast.support.containerId,
        heldMessages: 0,
      },
    },
    msgctl: `msgctl numbers logout ${cast.support.label}`,
  }),

  /** Lists changes of a number's connection, latest first. At most 100 per page. */
  history: route('GET /session/history', {
    summary: "List changes of a number's connection",
    access: keyed,
    query: z.object({ containerId, ...pageQuery }),
    response: z.object({
      containerId: numberId,
      ...pageOf,
      history: z.array(connectionChange).describe('The changes of this page, latest first.'),
    }),
    errors: chosen,
    example: {
      input: { containerId: cast.support.containerId, limit: 20 },
      output: {
        containerId: cast.support.containerId,
        total: 2,
        page: 1,
        limit: 20,
        history: [
          {
            at: '2026-11-03T06:18:00.000Z',
            from: 'STARTING',
            to: 'WORKING',
            reason: null,
            message: null,
            source: 'network',
          },
          {
            at: '2026-11-03T06:17:20.000Z',
            from: 'WORKING',
            to: 'STARTING',
            reason: 'connection_lost',
            message: numberReasonSentences.connection_lost,
            source: 'supervisor',
          },
        ],
      },
    },
    msgctl: `msgctl numbers history ${cast.support.label} --limit 20`,
  }),

  /** Returns the public profile of a number: name, about and picture. */
  profile: route('GET /session/profile', {
    summary: 'Get the profile of a number',
    access: keyed,
    query: which,
    response: profile,
    errors: [...chosen, ...gateway, 'GATEWAY_SESSION_ERROR'],
    example: { input: { containerId: cast.support.containerId }, output: example.profile },
    msgctl: `msgctl numbers profile ${cast.support.label}`,
  }),

  /**
   * Changes the profile others see; what is left out stays. A picture comes from a public link or POST /media
   * (SEND_FILE_*). Keys, owners and admins.
   */
  setProfile: route('PUT /session/profile', {
    summary: 'Change the profile of a number',
    access: changing,
    body: z
      .object({
        name: text(1, limits.profile.name).optional().describe('The name others see, 1 to 25 characters.'),
        about: text(0, limits.profile.about).optional().describe('The text under it, up to 139 characters.'),
        pictureUrl: httpUrl.optional().describe('Public link to the new picture.'),
        mediaId: uuid.optional().describe('The new picture from POST /media, instead of pictureUrl.'),
        containerId,
      })
      .refine((body) => [body.name, body.about, body.pictureUrl, body.mediaId].some((field) => field !== undefined), {
        error: 'or about, pictureUrl or mediaId must be given',
        path: ['name'],
      }),
    response: profile,
    errors: [...chosen, ...gateway, 'GATEWAY_SESSION_ERROR', ...fileErrors],
    example: {
      input: { containerId: cast.support.containerId, name: 'Example Shop', about: 'Open from 9 to 5' },
      output: example.profile,
    },
    msgctl: `msgctl numbers profile ${cast.support.label} --name "Example Shop" --about "Open from 9 to 5"`,
  }),
}
