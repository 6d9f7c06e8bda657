import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import helmet from 'koa-helmet'
import { expect, it } from 'vitest'
import { securityHeaders } from './security-headers.ts'

async function headersOf(middleware: Koa.Middleware): Promise<Record<string, string>> {
  const app = new Koa()
  app.use(middleware)
  app.use((ctx) => {
    ctx.body = 'ok'
  })
  const server = createServer(app.callback()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    return Object.fromEntries([...response.headers].filter(([name]) => name !== 'date'))
  } finally {
    server.close()
  }
}

it('sets what Helmet sets', async () => {
  const headers = await headersOf(securityHeaders())
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'SAMEORIGIN' })
  expect(headers).toEqual(await headersOf(helmet()))
})
