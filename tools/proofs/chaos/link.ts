import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket, connect as toServer } from 'node:net'

/** Where a connection goes, a host of this machine; null while no process listens. */
type Target = () => { readonly port: number } | null

/** A network between two parts of the service, whose connections can be made slow, broken and cut. */
export interface Link {
  /** Opens a route to what `target` names at each connection. Returns the port of 127.0.0.1 to connect to. */
  route(target: Target): Promise<number>
  /** From now on everything takes so much longer, each way. */
  slow(delayMs: number): void
  /** Breaks every connection that is open. */
  reset(): void
  /** Carries nothing, without closing connections, until it is repaired. */
  cut(): void
  repair(): void
  stop(): Promise<void>
}

interface State {
  delayMs: number
  isCut: boolean
  readonly open: Set<Socket>
  /** Called when the link is repaired. */
  readonly waiting: Set<() => void>
}

/** Makes a link without ways. */
export function openLink(): Link {
  const state: State = { delayMs: 0, isCut: false, open: new Set(), waiting: new Set() }
  const servers: Server[] = []
  return {
    async route(target) {
      const server = createServer((client) => void join(state, client, target))
      servers.push(server)
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      return (server.address() as AddressInfo).port
    },
    slow(delayMs) {
      state.delayMs = delayMs
    },
    reset() {
      for (const socket of state.open) socket.resetAndDestroy()
    },
    cut() {
      state.isCut = true
      for (const socket of state.open) socket.pause()
    },
    repair() {
      state.isCut = false
      for (const go of state.waiting) go()
      state.waiting.clear()
      for (const socket of state.open) socket.resume()
    },
    async stop() {
      for (const socket of state.open) socket.destroy()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

function hold(state: State, socket: Socket): void {
  state.open.add(socket)
  socket.setNoDelay(true)
  // An error is followed by the close, which the other side receives.
  socket.on('error', () => undefined)
  socket.on('close', () => state.open.delete(socket))
}

async function join(state: State, client: Socket, target: Target): Promise<void> {
  hold(state, client)
  if (state.isCut) {
    client.pause()
    await new Promise<void>((resolve) => state.waiting.add(resolve))
  }
  const to = target()
  if (to === null || client.destroyed) return void client.resetAndDestroy()
  const server = toServer({ host: '127.0.0.1', port: to.port })
  hold(state, server)
  pass(state, client, server)
  pass(state, server, client)
}

/** Carries what one side writes, and its end, to the other, in order, whatever the delay is at the time. */
function pass(state: State, from: Socket, to: Socket): void {
  const queue: { readonly at: number; readonly act: () => void }[] = []

  function run(): void {
    while (queue[0] && queue[0].at <= performance.now()) queue.shift()?.act()
    if (queue[0]) setTimeout(run, queue[0].at - performance.now())
  }

  function later(act: () => void): void {
    if (state.delayMs === 0 && queue.length === 0) {
      act()
      return
    }
    const earliest = performance.now() + state.delayMs
    queue.push({ at: Math.max(earliest, queue.at(-1)?.at ?? 0), act })
    if (queue.length === 1) setTimeout(run, state.delayMs)
  }

  from.on('data', (chunk: Buffer) => later(() => void to.write(chunk)))
  from.on('end', () => later(() => to.end()))
  from.on('close', (broken) => later(() => void (broken ? to.resetAndDestroy() : to.destroy())))
}
