import type { IncomingMessage } from 'node:http'
import { openAdapter } from './adapter/adapter.ts'
import { defaultMaxBodyBytes } from './body.ts'
import type { EventHandlers, HandlerOptions } from './handler.ts'
import { nodeBody } from './kept-body.ts'
import { type AdapterOptions, notPosted } from './respond.ts'

export type { AdapterOptions } from './respond.ts'

/** The part of Fastify's request that is used. */
export interface FastifyRequestLike {
  readonly raw: IncomingMessage
  readonly body?: unknown
}

/** The part of Fastify's reply that is used. */
export interface FastifyReplyLike {
  code(status: number): unknown
  headers(values: Record<string, string>): unknown
  send(body?: unknown): unknown
}

/** A route handler of Fastify. */
export type FastifyHandler = (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>

/** The part of a Fastify instance that is used. */
export interface FastifyLike {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(
    contentType: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: unknown, body: unknown, done: (error: null, body: unknown) => void) => void,
  ): unknown
  post(path: string, handler: FastifyHandler): unknown
}

/**
 * Creates the handler of a Fastify route whose content type parser keeps the body as a buffer. It responds with 204 to
 * a processed delivery, 4xx to a rejected one and 500 when the receiver failed. It never rejects.
 */
export function createFastifyHandler(
  handlers: EventHandlers,
  options: HandlerOptions & AdapterOptions,
): FastifyHandler {
  const { handle, respond } = openAdapter(handlers, options)
  const maxBodyBytes = options.maxBodyBytes ?? defaultMaxBodyBytes
  return async ({ raw, body: kept }, reply) => {
    const work = async () => handle(await nodeBody(raw, { body: kept }, maxBodyBytes), raw.headers)
    const { status, headers, body } = raw.method === 'POST' ? await respond(work) : notPosted
    reply.headers({ ...headers })
    reply.code(status)
    return reply.send(body ?? undefined)
  }
}

/**
 * Creates a plugin for `app.register` with one route, `POST` at `path`, that verifies deliveries and runs one function
 * for each event type. Inside this plugin Fastify keeps bodies raw; elsewhere nothing changes.
 */
export function createFastifyPlugin(
  handlers: EventHandlers,
  options: HandlerOptions & AdapterOptions & { readonly path: string },
): (app: FastifyLike) => Promise<void> {
  const bodyLimit = options.maxBodyBytes ?? defaultMaxBodyBytes
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body))
    app.post(options.path, createFastifyHandler(handlers, options))
  }
}
