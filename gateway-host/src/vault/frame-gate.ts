import { Fenced } from './fenced.ts'

/** The part of a WebSocket that sends. */
interface FrameSocket {
  send(bytes: Uint8Array, options?: unknown, callback?: unknown): void
  terminate(): void
}

/** What a gate needs of a vault. */
interface Marks {
  readonly mark: number
  readonly isFenced: boolean
  isCommitted(mark: number): boolean
  committed(mark: number): Promise<void>
}

/** What a gate needs of the leases of this process. */
interface Leases {
  readonly isSafe: boolean
  safe(): Promise<void>
}

type Callback = (error?: Error) => void

interface Held {
  readonly bytes: Uint8Array
  readonly mark: number
}

/**
 * Makes each frame wait until everything that was staged before it is on disk. Frames keep their order. The callback of
 * a frame that waits is called at once: its position is certain, and the next message is encrypted in the meantime.
 * When the commit cannot succeed any more, the connection ends and nothing leaves. A commit may be old when its frame
 * is to leave, so the lease is checked as well.
 */
export function holdFrames(socket: FrameSocket, vault: Marks, leases: Leases): void {
  const send = socket.send.bind(socket)
  const held: Held[] = []
  let releasing = false

  async function release(): Promise<void> {
    releasing = true
    for (let first = held[0]; first; first = held[0]) {
      try {
        await vault.committed(first.mark)
        if (!leases.isSafe) await leases.safe()
        if (vault.isFenced) throw new Fenced()
      } catch {
        held.length = 0
        socket.terminate()
        break
      }
      held.shift()
      send(first.bytes)
    }
    releasing = false
  }

  socket.send = (bytes, options, callback) => {
    const done = (typeof options === 'function' ? options : callback) as Callback | undefined
    if (vault.isFenced) {
      socket.terminate()
      done?.(new Fenced())
      return
    }
    const { mark } = vault
    if (held.length === 0 && vault.isCommitted(mark) && leases.isSafe) {
      send(bytes, done)
      return
    }
    held.push({ bytes, mark })
    done?.()
    if (!releasing) void release()
  }
}
