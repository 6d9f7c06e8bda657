import { createServer, type Server } from 'node:http'

/** Creates the HTTP server of `GET /metrics` and `GET /healthz`, for the tools of the operator. */
export function createMetricsServer(metrics: () => Promise<string>): Server {
  return createServer((request, response) => {
    if (request.method === 'GET' && request.url === '/healthz') return void response.end('{"ok":true}')
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end()
    metrics().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(text),
      () => response.writeHead(500).end(),
    )
  })
}
