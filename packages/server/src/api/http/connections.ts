import type { RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'

/** The open connections of a server, with what runs on each. */
export interface Connections {
  /** Wraps the server's listener so that responses under way are counted. */
  counted(handle: RequestListener): RequestListener
  /** Closes every connection on which nothing runs, now and whenever the last response on one is sent. */
  closeWhenIdle(): void
}

/**
 * Follows the connections of a server. Node can close idle ones by itself, but to it a connection that has not sent a
 * request yet is not idle, and callers do open such ones in advance: they would hold up the end of the server.
 */
export function followConnections(server: Server): Connections {
  const running = new Map<Socket, number>()
  let closing = false

  function change(socket: Socket, by: number): void {
    const left = (running.get(socket) ?? 0) + by
    running.set(socket, left)
    if (closing && left === 0) socket.destroySoon()
  }

  server.on('connection', (socket: Socket) => {
    running.set(socket, 0)
    socket.once('close', () => running.delete(socket))
  })

  return {
    counted: (handle) => (req, res) => {
      const { socket } = req
      change(socket, 1)
      res.once('close', () => change(socket, -1))
      handle(req, res)
    },
    closeWhenIdle() {
      closing = true
      for (const socket of running.keys()) change(socket, 0)
    },
  }
}
