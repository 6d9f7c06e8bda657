import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cleanUpAfterFile } from './cleanup.ts'

/** Handles one request to a third party's file server. */
type FileAnswer = (response: ServerResponse, request: IncomingMessage) => void

/** A stranger's file server on 127.0.0.1, which tests are allowed to reach. */
export interface FileServer {
  readonly address: string
  /** What was asked for, oldest first. */
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[]
  /** Serves bytes at a path, and returns the link to them. */
  serve(path: string, bytes: Uint8Array, headers?: Readonly<Record<string, string>>): string
  /** Handles requests for a path with `answer`, and returns the link. */
  on(path: string, answer: FileAnswer): string
}

/** Starts a file server for the calling test file; it ends after the file's tests. */
export async function startFileServer(): Promise<FileServer> {
  const answers = new Map<string, FileAnswer>()
  const requests: FileServer['requests'] = []
  const listener: RequestListener = (request, response) => {
    const path = request.url ?? ''
    requests.push({ path, headers: request.headers })
    const answer = answers.get(path)
    if (answer) return answer(response, request)
    response.writeHead(404).end()
  }
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUpAfterFile(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  function on(path: string, answer: FileAnswer): string {
    answers.set(path, answer)
    return `${address}${path}`
  }
  return {
    address,
    requests,
    on,
    serve: (path, bytes, headers = {}) =>
      on(path, (response) => response.writeHead(200, { 'content-length': bytes.length, ...headers }).end(bytes)),
  }
}
