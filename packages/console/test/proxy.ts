import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** What the proxy adds before every path, and takes away before it calls the service. */
const prefix = '/messages'

/** A reverse proxy before a service. */
interface Proxy {
  /** Its address with the prefix, without a slash at the end. */
  readonly address: string
  close(): void
}

/** Makes a certificate that no browser trusts by itself, and its key. */
function makeCertificate() {
  const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-console-'))
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')]
  const about = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
  try {
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-keyout',
        key,
        '-out',
        cert,
        ...about,
      ],
      { stdio: 'ignore' },
    )
    return { key: readFileSync(key), cert: readFileSync(cert) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Starts a proxy that serves https below a prefix, and sends what comes to a service. */
export async function startProxy(service: string): Promise<Proxy> {
  const server = createServer(makeCertificate(), (incoming, outgoing) => {
    const { url = '', method, headers } = incoming
    if (!url.startsWith(`${prefix}/`)) return outgoing.writeHead(404).end()
    const target = new URL(url.slice(prefix.length), service)
    const onward = request(target, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      // Streams must not wait for more.
      outgoing.flushHeaders()
      response.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `https://127.0.0.1:${port}${prefix}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
