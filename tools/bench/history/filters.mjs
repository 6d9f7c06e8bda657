/** @typedef {Parameters<typeof import('@msgctl/server/sending/messages/history/list').listMessages>[2]} ListQuery */

/** @typedef {Partial<ListQuery>} Query */

/**
 * A handler of the API, called with those parts of a request that it reads.
 * @typedef {(request: object, services: import('@msgctl/server/services').Services) => Promise<unknown>} Handler
 */

/**
 * What lists of messages are filtered by.
 * @type {Query[]}
 */
export const filters = [
  {},
  { type: 'otp' },
  { status: 'read' },
  { status: 'failed' },
  { status: 'queued' },
  { type: 'alert', status: 'delivered' },
  { page: 18 },
]
