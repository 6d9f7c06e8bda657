// Asks TypeScript's language server what an editor would show.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { refusal, tool } from '../scripts/process.mjs'

/** @import { ChildProcessByStdio } from 'node:child_process' */
/** @import { Readable, Writable } from 'node:stream' */

/** @typedef {{ id?: number, method?: string, params?: object, result?: unknown }} Message */
/** @typedef {{ contents: string | { value: string } } | null} Hover */

/**
 * The messages of the language server's protocol over a child's stdin and stdout.
 *
 * @param {ChildProcessByStdio<Writable, Readable, null>} child
 */
function connect(child) {
  /** @type {Map<number | undefined, (result: unknown) => void>} */
  const waiting = new Map()
  let rest = Buffer.alloc(0)
  let lastId = 0
  /** @param {Message} message */
  const send = (message) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  /** @param {Message} message */
  const take = (message) => {
    // The server asks for settings, too; it has to live with none.
    if (message.method !== undefined && message.id !== undefined) send({ id: message.id, result: [] })
    else waiting.get(message.id)?.(message.result)
  }
  child.stdout.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const end = rest.indexOf('\r\n\r\n')
      const length = Number(/Content-Length: (\d+)/i.exec(rest.subarray(0, Math.max(end, 0)).toString())?.[1])
      if (!(rest.length >= end + 4 + length)) return
      take(JSON.parse(rest.subarray(end + 4, end + 4 + length).toString()))
      rest = rest.subarray(end + 4 + length)
    }
  })
  /**
   * @param {string} method
   * @param {object} params
   * @returns {Promise<unknown>}
   */
  const request = (method, params) => {
    lastId += 1
    send({ id: lastId, method, params })
    return new Promise((resolve, reject) => {
      waiting.set(lastId, resolve)
      child.once('exit', () => reject(refusal('The language server ended.')))
    })
  }
  return {
    request,
    /**
     * @param {string} method
     * @param {object} params
     */
    notify: (method, params) => send({ method, params }),
  }
}

/**
 * What hovering over a call of the client shows in a project: `alert.send`, or `events.stream()`.
 *
 * @param {string} project
 * @param {string} call
 */
export async function hoverOf(project, call) {
  const child = spawn(tool('tsc'), ['--lsp', '--stdio'], {
    cwd: project,
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: 60_000,
  })
  const server = connect(child)
  const before = "import { MessagingClient } from '@msgctl/client'\nexport const call = new MessagingClient()."
  const uri = pathToFileURL(path.join(project, 'src/hover.ts')).href
  const rootUri = pathToFileURL(project).href
  const textDocument = { uri, languageId: 'typescript', version: 1, text: before + call }
  const contentFormat = ['plaintext']
  await server.request('initialize', {
    processId: process.pid,
    rootUri,
    capabilities: { textDocument: { hover: { contentFormat } } },
  })
  server.notify('initialized', {})
  server.notify('textDocument/didOpen', { textDocument })
  const character = before.length - before.indexOf('\n') - 1 + call.replace('()', '').length - 1
  const shown = await server.request('textDocument/hover', { textDocument: { uri }, position: { line: 1, character } })
  child.removeAllListeners('exit').kill()
  // Lines are broken where the source breaks them.
  const contents = /** @type {Hover} */ (shown)?.contents ?? ''
  return (typeof contents === 'string' ? contents : contents.value).replace(/\s+/g, ' ')
}
