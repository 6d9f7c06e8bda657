import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readBody } from './body.ts'
import { collectGarbage } from './testing/collect-garbage.ts'

/** Makes a request at a server on the loopback address. */
async function request(listener: RequestListener, signal: AbortSignal): Promise<Response> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { signal })
}

const tooLong = () => new Error('too long')

describe('a body', () => {
  it('is read to its end', async () => {
    const { signal } = new AbortController()
    const response = await request((_, sent) => sent.write('one, ', () => sent.end('two')), signal)
    expect((await readBody(response, { signal, maxBytes: 8, tooLong })).toString()).toBe('one, two')
  })

  it('may be empty', async () => {
    const { signal } = new AbortController()
    const response = await request((_, sent) => sent.writeHead(204).end(), signal)
    expect(await readBody(response, { signal, maxBytes: 0, tooLong })).toHaveLength(0)
  })

  it('is refused when it is too long', async () => {
    const { signal } = new AbortController()
    const response = await request((_, sent) => sent.write('123456789'), signal)
    await expect(readBody(response, { signal, maxBytes: 8, tooLong })).rejects.toThrow('too long')
  })

  it('ends with the signal of the request, also after a garbage collection', async () => {
    const controller = new AbortController()
    const response = await request((_, sent) => sent.write('part'), controller.signal)
    const read = readBody(response, { signal: controller.signal, maxBytes: 8, tooLong })
    for (let n = 0; n < 5; n++) {
      collectGarbage()
      await new Promise(setImmediate)
    }
    controller.abort(new Error('late'))
    await expect(read).rejects.toThrow('late')
  })

  it('is not read when the signal aborted before', async () => {
    const controller = new AbortController()
    const response = await request((_, sent) => sent.write('part'), controller.signal)
    controller.abort(new Error('late'))
    await expect(readBody(response, { signal: controller.signal, maxBytes: 8, tooLong })).rejects.toThrow('late')
  })
})
