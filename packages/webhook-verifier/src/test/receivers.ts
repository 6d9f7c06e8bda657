import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type {
  APIGatewayProxyEvent,
  APIGatewayProxyEventV2,
  APIGatewayProxyHandler,
  APIGatewayProxyHandlerV2,
} from 'aws-lambda'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import { onTestFinished } from 'vitest'
import { createFastifyHandler, createFastifyPlugin } from '../fastify.ts'
import { createFetchHandler } from '../fetch.ts'
import type { EventHandlers, HandlerOptions } from '../handler.ts'
import { createHonoHandler } from '../hono.ts'
import { createKoaMiddleware } from '../koa.ts'
import { createLambdaHandler } from '../lambda.ts'
import { createListener } from '../node.ts'
import type { AdapterOptions } from '../respond.ts'

/** Posts a delivery to a receiver and returns status and text. */
type Post = (body: string, headers: Record<string, string>) => Promise<[status: number, text: string]>

/**
 * Starts a receiver in its framework. `parsed` adds what people add by mistake: something that parses JSON first.
 */
export type Receiver = (
  handlers: EventHandlers,
  options: HandlerOptions & AdapterOptions,
  parsed: boolean,
) => Promise<Post>

/** Starts a listener on its own port, which closes after the test, and returns a function that posts to it. */
async function posterTo(listener: RequestListener): Promise<Post> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`
  return async (body, headers) => {
    const json = { 'content-type': 'application/json', ...headers }
    const response = await fetch(url, { method: 'POST', body, headers: json })
    return [response.status, await response.text()]
  }
}

/** Returns a function that posts to a fetch handler; `before` is what a careless route does with the request. */
function posterToFetch(handle: (request: Request) => Promise<Response>, before: (request: Request) => unknown): Post {
  return async (body, headers) => {
    const json = { 'content-type': 'application/json', ...headers }
    const request = new Request('https://app.example/webhooks', { method: 'POST', body, headers: json })
    await before(request)
    const response = await handle(request)
    return [response.status, await response.text()]
  }
}

const onNode: Receiver = async (handlers, options, parsed) => {
  const listener = createListener(handlers, options)
  return posterTo(async (request, response) => {
    if (parsed) {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece as Buffer)
      Object.assign(request, { body: JSON.parse(Buffer.concat(pieces).toString()) })
    }
    await listener(request, response)
  })
}

const onExpress: Receiver = async (handlers, options, parsed) => {
  const app = express()
  if (parsed) app.use(express.json())
  app.post('/webhooks', createListener(handlers, options))
  return posterTo(app)
}

const onExpressRaw: Receiver = async (handlers, options, parsed) => {
  const app = express()
  app.post('/webhooks', parsed ? express.json() : express.raw({ type: '*/*' }), createListener(handlers, options))
  return posterTo(app)
}

const onKoa: Receiver = async (handlers, options, parsed) => {
  const app = new Koa()
  if (parsed) {
    app.use(async (context, next) => {
      const pieces: Buffer[] = []
      for await (const piece of context.req) pieces.push(piece as Buffer)
      Object.assign(context.request, { body: JSON.parse(Buffer.concat(pieces).toString()) })
      await next()
    })
  }
  app.use(createKoaMiddleware(handlers, options))
  return posterTo(app.callback())
}

const onFastify: Receiver = async (handlers, options, parsed) => {
  const app = fastify()
  if (parsed) app.post('/webhooks', createFastifyHandler(handlers, options))
  else app.register(createFastifyPlugin(handlers, { ...options, path: '/webhooks' }))
  await app.ready()
  return posterTo(app.routing)
}

const onHono: Receiver = async (handlers, options, parsed) => {
  const app = new Hono()
  if (parsed) {
    app.use(async (context, next) => {
      await context.req.json()
      await next()
    })
  }
  app.post('/webhooks', createHonoHandler(handlers, options))
  return posterTo(getRequestListener(app.fetch))
}

const onFetch: Receiver = async (handlers, options, parsed) =>
  posterToFetch(createFetchHandler(handlers, options), (request) => (parsed ? request.json() : undefined))

/**
 * A route.ts of Next's app router is a module that exports one function for each method; Next calls it with a Request.
 */
const onNext: Receiver = async (handlers, options, parsed) => {
  const route = { POST: createFetchHandler(handlers, options) }
  return posterToFetch(route.POST, (request) => (parsed ? request.json() : undefined))
}

/** Calls a function like API Gateway for HTTP and function URLs. */
const onLambda: Receiver = async (handlers, options, parsed) => {
  const handler = createLambdaHandler(handlers, options) satisfies APIGatewayProxyHandlerV2
  return async (body, headers) => {
    const event = { body: parsed ? JSON.parse(body) : body, isBase64Encoded: false, headers }
    const { statusCode, body: text } = await handler(event as unknown as APIGatewayProxyEventV2)
    return [statusCode, text]
  }
}

/** Calls a function with binary bodies like API Gateway for REST. */
const onLambdaRest: Receiver = async (handlers, options, parsed) => {
  const handler = createLambdaHandler(handlers, options) satisfies APIGatewayProxyHandler
  return async (body, headers) => {
    const multiValueHeaders = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    )
    const encoded = Buffer.from(body).toString('base64')
    const event = {
      body: parsed ? JSON.parse(body) : encoded,
      isBase64Encoded: !parsed,
      headers: {},
      multiValueHeaders,
    }
    const { statusCode, body: text } = await handler(event as unknown as APIGatewayProxyEvent)
    return [statusCode, text]
  }
}

/** Every supported receiver by name. */
export const receivers: readonly (readonly [name: string, receiver: Receiver])[] = [
  ['node:http', onNode],
  ['Express', onExpress],
  ['Express with express.raw', onExpressRaw],
  ['Koa', onKoa],
  ['Fastify', onFastify],
  ['Hono', onHono],
  ['a fetch-style Request', onFetch],
  ["Next's app router", onNext],
  ['AWS Lambda behind a function URL', onLambda],
  ['AWS Lambda behind a REST API, base64', onLambdaRest],
]
