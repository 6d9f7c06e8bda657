import { EventEmitter } from 'node:events'
import type { AuthenticationCreds, WASocket } from 'baileys'
import { stanza } from './stanzas.ts'

type Update = Partial<AuthenticationCreds>
type Listener = (update: Update) => void

/**
 * Shows an account as unavailable as long as it is not said to be available. The library sends a presence without a
 * type whenever it stores something, which the network takes for available: the phone then shows no notifications. Its
 * listener is replaced by one that stores, and that sends the name with what is shown now. `onName` is called when the
 * name of the account has changed.
 */
export class QuietPresence {
  readonly #socket: WASocket
  readonly #creds: AuthenticationCreds
  #isAvailable = false
  #isOpen = false

  /** Call it before anything else listens to the socket. */
  constructor(socket: WASocket, creds: AuthenticationCreds, onName: () => void) {
    this.#socket = socket
    this.#creds = creds
    const [, ...others] = takeListeners(socket)
    const store = (update: Update) => {
      const { name } = this.#creds.me ?? {}
      Object.assign(this.#creds, update)
      if (this.#creds.me?.name === name) return
      if (this.#isOpen) this.#announce()
      onName()
    }
    for (const listener of [store, ...others]) socket.ev.on('creds.update', listener)
    socket.ev.on('connection.update', ({ connection }) => {
      if (connection === 'open' || connection === 'close') this.#isOpen = connection === 'open'
      if (connection === 'open') this.#announce()
    })
  }

  async show(isAvailable: boolean): Promise<void> {
    this.#isAvailable = isAvailable
    // The library shows nothing of an account without a name. Its call also changes the kind of delivery receipts.
    if (this.#creds.me?.name) await this.#socket.sendPresenceUpdate(isAvailable ? 'available' : 'unavailable')
    else if (!isAvailable) await this.#send('unavailable')
  }

  #announce(): void {
    this.#send(this.#isAvailable ? 'available' : 'unavailable').catch(() => undefined)
  }

  #send(type: 'available' | 'unavailable'): Promise<void> {
    const name = this.#creds.me?.name?.replaceAll('@', '')
    return this.#socket.sendNode(stanza('presence', { ...(name ? { name } : {}), type }))
  }
}

/**
 * Takes the listeners of the library off, of which the first one stores and sends the presence. Throws an Error when
 * the library keeps them in another way.
 */
function takeListeners({ ev }: WASocket): Listener[] {
  const inner: unknown = ev.on('creds.update', () => undefined)
  if (!(inner instanceof EventEmitter)) throw new Error('the library keeps its listeners in another way')
  const listeners = inner.listeners('creds.update').slice(0, -1)
  ev.removeAllListeners('creds.update')
  return listeners as Listener[]
}
