import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Network } from './network.ts'

/** The host of encrypted files. Devices reach it over HTTPS only. */
export interface MediaHost {
  /** The file of its certificate, for NODE_EXTRA_CA_CERTS. */
  readonly certificate: string
  close(): Promise<void>
}

/** Starts the media host of a network. It needs the program openssl for its certificate. */
export async function startMediaHost(network: Network): Promise<MediaHost> {
  const folder = mkdtempSync(path.join(tmpdir(), 'test-network-'))
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')]
  makeCertificate(key, certificate)
  const files = { key: readFileSync(key), cert: readFileSync(certificate) }
  const server = createServer(files, (request, response) => void handle(network, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  network.mediaHost = `localhost:${(server.address() as AddressInfo).port}`
  return {
    certificate,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function makeCertificate(key: string, certificate: string): void {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const output = ['-keyout', key, '-out', certificate, '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...curve, ...names, ...output], { stdio: 'ignore' })
}

async function handle(network: Network, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'https://localhost')
  const { clockAheadMs, lostFiles } = network.faults
  response.setHeader('date', new Date(Date.now() + clockAheadMs).toUTCString())
  if (request.method === 'POST') {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const directPath = `/v/t62/${network.files.size}-${pathname.split('/').pop()}`
    network.files.set(directPath, Buffer.concat(parts))
    response.end(JSON.stringify({ url: `https://${network.mediaHost}${directPath}`, direct_path: directPath }))
    return
  }
  const file = lostFiles ? undefined : network.files.get(pathname)
  if (file) response.end(file)
  else response.writeHead(404).end()
}
