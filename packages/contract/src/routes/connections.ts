import * as z from 'zod'
import { endpoints } from '../endpoints.ts'
import { containerId, count, httpUrl, pageOf, pageQuery, phoneNumber, text, uuid } from '../model/fields.ts'
import { limits } from '../model/limits.ts'
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

const profile = z
  .object({
    containerId: numberId,
    id: z.string().describe("The network's own id of the account."),
    name: z.string().nullable().describe('The name others see.'),
    about: z.string().nullable().describe('The text under the name.'),
    pictureUrl: z.string().nullable().describe('Link to the picture.'),
  })
  .meta({ id: 'NumberProfile', description: 'What others see of a number on the network.' })

/** The routes that link and connect a number. Their responses carry no `success`. */
export const connectionRoutes = {
  /** Returns the state of a number's connection and the recommended action. */
  status: route(endpoints.numbers.status, {
    summary: 'Get the connection state of a number',
    access: keyed,
    query: which,
    status: 200,
    response: connectionState,
    errors: chosen,
  }),

  /**
   * Returns the QR to scan while the number is SCAN_QR_CODE; each is valid for a minute. `format=raw` returns its text
   * instead of a picture. A linked number returns already_connected, any other state a message and a hint.
   */
  qr: route(endpoints.numbers.qr, {
    summary: 'Get the QR that links a number',
    access: keyed,
    query: z.object({
      format: z.enum(['image', 'raw']).default('image').describe('raw returns the text instead of a picture.'),
      containerId,
    }),
    status: 200,
    response: qrAnswer,
    errors: [...chosen, ...gateway],
    secret: true,
  }),

  /**
   * Returns an 8-character code that links a number without a camera. `@lid` is not accepted. Keys, owners and admins.
   * GATEWAY_UNREACHABLE while the host of the number does not respond.
   */
  pair: route(endpoints.numbers.pair, {
    summary: 'Get a pairing code',
    access: changing,
    body: z.object({ phone: phoneNumber, containerId }),
    status: 200,
    response: z.object({
      status: z.literal('code_sent').describe('The network shows the code on the phone.'),
      code: z.string().length(8).describe('The code to type on the phone.'),
      message,
    }),
    errors: [...chosen, ...gateway, 'SESSION_NOT_CONNECTED', 'FORBIDDEN_ACTION'],
    secret: true,
  }),

  /**
   * Starts a stopped or failed number. A number that runs already is left alone, with the same status in the response.
   * GATEWAY_UNREACHABLE while its host does not respond.
   */
  start: route(endpoints.numbers.start, {
    summary: 'Start a number',
    access: keyed,
    body: which,
    status: 200,
    response: z.object({ status: z.literal('starting').describe('It is starting, or runs already.'), message }),
    errors: [...chosen, ...gateway, 'NO_ACTIVE_PRODUCT', 'PRODUCT_REQUIRED'],
  }),

  /** Stops a number until it is started again; the link to the phone stays. Owners, admins and the account key. */
  stop: route(endpoints.numbers.stop, {
    summary: 'Stop a number',
    access: { keys: 'account', roles: ['owner', 'admin'] },
    body: which,
    status: 200,
    response: z.object({
      status: z.literal('stopped').describe('It is stopped.'),
      message,
      containerId: numberId,
    }),
    errors: [...chosen, ...gateway],
  }),

  /**
   * Restarts a stuck connection and keeps the link. A stopped number gets FORBIDDEN_ACTION (use start), one that waits
   * for its QR gets SESSION_NOT_CONNECTED.
   */
  reconnect: route(endpoints.numbers.reconnect, {
    summary: 'Reconnect a number',
    access: keyed,
    body: which,
    status: 200,
    response: z.object({
      status: z.literal('starting').describe('It is starting.'),
      message,
      containerId: numberId,
    }),
    errors: [...chosen, ...gateway, 'FORBIDDEN_ACTION', 'SESSION_NOT_CONNECTED'],
  }),

  /**
   * Ends the link to the phone; the number must be linked again. What is queued for it waits, and is held when another
   * phone is linked, see `release`. Keys, owners and admins.
   */
  logout: route(endpoints.numbers.logout, {
    summary: 'Unlink a number',
    access: changing,
    body: which,
    status: 200,
    response: z.object({
      status: z.literal('logged_out').describe('It is no longer linked.'),
      message,
      containerId: numberId,
      heldMessages: count('Messages that wait for it in the queue.'),
    }),
    errors: [...chosen, ...gateway, 'SESSION_NOT_CONNECTED'],
  }),

  /** Lists changes of a number's connection, latest first. At most 100 per page. */
  history: route(endpoints.numbers.history, {
    summary: "List changes of a number's connection",
    access: keyed,
    query: z.object({ containerId, ...pageQuery }),
    status: 200,
    response: z.object({
      containerId: numberId,
      ...pageOf,
      history: z.array(connectionChange).describe('The changes of this page, latest first.'),
    }),
    errors: chosen,
  }),

  /** Returns the public profile of a number: name, about and picture. */
  profile: route(endpoints.numbers.profile, {
    summary: 'Get the profile of a number',
    access: keyed,
    query: which,
    status: 200,
    response: profile,
    errors: [...chosen, ...gateway, 'GATEWAY_SESSION_ERROR'],
  }),

  /**
   * Changes the profile others see; what is left out stays. A picture comes from a public link or POST /media
   * (SEND_FILE_*). Keys, owners and admins.
   */
  setProfile: route(endpoints.numbers.setProfile, {
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
    status: 200,
    response: profile,
    errors: [...chosen, ...gateway, 'GATEWAY_SESSION_ERROR', ...fileErrors],
  }),
}
