// A caller that costs little of the two cores it shares with what it measures: one kept connection, one request at a
// time.
import { once } from 'node:events'
import { connect } from 'node:net'

const endOfHead = '\r\n\r\n'

/** @typedef {Awaited<ReturnType<typeof openCaller>>} RequestCaller A connection that sends one request at a time. */
/** @typedef {{ status: number, text: string }} Answer */

/**
 * Opens a connection to `address`. `post` returns the status and the text of the body; `end` closes the connection.
 * @param {string} address
 */
export async function openCaller(address) {
  const { hostname, port, host } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  let received = ''
  /** @type {{ resolve: (answer: Answer) => void, reject: (error: Error) => void } | undefined} */
  let answered
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    received += chunk
    const head = received.indexOf(endOfHead)
    if (head < 0) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1])
    if (received.length < head + endOfHead.length + length) return
    const answer = { status: Number(received.slice(9, 12)), text: received.slice(head + endOfHead.length) }
    received = ''
    answered?.resolve(answer)
  })
  socket.on('error', (error) => answered?.reject(error))
  return {
    /**
     * @param {string} path
     * @param {string} key
     * @param {object} body
     * @param {string | undefined} [idempotencyKey]
     * @returns {Promise<Answer>}
     */
    post(path, key, body, idempotencyKey) {
      const text = JSON.stringify(body)
      const once = idempotencyKey === undefined ? '' : `\r\nIdempotency-Key: ${idempotencyKey}`
      const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${key}\r\nContent-Type: application/json`
      socket.write(`${head}${once}\r\nContent-Length: ${Buffer.byteLength(text)}${endOfHead}${text}`)
      return new Promise((resolve, reject) => {
        answered = { resolve, reject }
      })
    },
    end: () => socket.destroy(),
  }
}
