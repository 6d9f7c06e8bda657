import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fetchWebVersion, isNewerVersion } from './web-version.ts'

/** Starts a server on the loopback address for one test, and returns the address of its file. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/sw.js`
}

describe('the present version', () => {
  it.each([
    ['{"client_revision":1045649367,"x":1}', '2.3000.1045649367'],
    [String.raw`x=JSON.parse("{\"client_revision\": 1045649368}")`, '2.3000.1045649368'],
  ])('is the revision that the file of the network names: %s', async (text, version) => {
    const seen: unknown[] = []
    const url = await serve(({ headers }, response) => {
      seen.push(headers['sec-fetch-site'])
      response.end(text)
    })
    expect(await fetchWebVersion(url)).toBe(version)
    expect(seen).toEqual(['none'])
  })

  it.each<[string, RequestListener]>([
    ['the network responded with 500', (_, response) => response.writeHead(500).end('"client_revision":1')],
    ['the network named no version', (_, response) => response.end('<html>')],
    ['the network named no version', (_, response) => response.end('"client_revision":1234567890123')],
    ['the network cannot be reached', (_, response) => response.writeHead(302, { location: '/other' }).end()],
    ['the network cannot be reached', (_, response) => response.destroy()],
    [
      'the response of the network is too long',
      (_, response) => response.end(`${' '.repeat(5_000_000)}"client_revision":1`),
    ],
    ['the network did not respond in time', (_, response) => response.write('"client')],
  ])('is not known when %s', async (message, listener) => {
    const url = await serve(listener)
    const timeoutMs = message.includes('in time') ? 300 : 10_000
    await expect(fetchWebVersion(url, timeoutMs)).rejects.toThrow(message)
  })

  it('is compared by its revision', () => {
    expect(isNewerVersion('2.3000.1000000000', '2.3000.999999999')).toBe(true)
    expect(isNewerVersion('2.3000.999999999', '2.3000.999999999')).toBe(false)
  })
})
