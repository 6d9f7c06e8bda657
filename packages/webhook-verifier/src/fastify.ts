import type { IncomingMessage } from 'node:http'
import { defaultMaxBodyBytes } from './body.ts'
import { createHandler, type EventHandlers, type HandlerOptions } from './handler.ts'
import { nodeBody } from './kept-body.ts'
import { type AdapterOptions, respond } from './respond.ts'

export type { AdapterOptions } from './respond.ts'

/** What is used of Fastify's request. */
export interface FastifyRequestLike {
  readonly raw: IncomingMessage
  readonly body?: unknown
}

/** What is used of Fastify's reply. */
export interface FastifyReplyLike {
  code(status: number): unknown
  headers(values: Record<string, string>): unknown
  send(body?: unknown): unknown
}

/** A route's handler, as Fastify calls it. */
export type FastifyHandler = (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>

/** What is used of a Fastify instance. */
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
 * The handler of a Fastify route whose content type parser keeps the body as a buffer. It answers 204 when a delivery is
 * done with, 4xx when it is refused and 500 when the receiver failed; it never rejects.
 */
export function createFastifyHandler(
  handlers: EventHandlers,
  options: HandlerOptions & AdapterOptions,
): FastifyHandler {
  const handle = createHandler(handlers, options)
  const maxBodyBytes = options.maxBodyBytes ?? defaultMaxBodyBytes
  return async ({ raw, body: kept }, reply) => {
    const work = async () => handle(await nodeBody(raw, { body: kept }, maxBodyBytes), raw.headers)
    const { status, headers, body } = await respond(work, options)
    reply.headers({ ...headers })
    reply.code(status)
    return reply.send(body ?? undefined)
  }
}

/**
 * A plugin for `app.register` with one route, `POST` at `path`, that verifies deliveries and runs one function for each
 * kind of event. Fastify parses bodies before a handler sees them; inside this plugin it keeps them raw, elsewhere
 * nothing changes.
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
