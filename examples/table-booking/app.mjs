// A restaurant takes bookings over HTTP, confirms each by message, reminds a day before, and cancels by a reply.
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { isMessagingError, MessagingClient } from '@msgctl/client'

const dayMs = 86_400_000

/** The bookings, by the digits of the guest's phone. They stand in memory, where yours have a database. */
export class Bookings {
  #client
  #byPhone = new Map()
  #stop = new AbortController()

  constructor(client = new MessagingClient()) {
    this.#client = client
  }

  /** Confirms first: a number that is not on the network gets no booking. */
  async book({ id, name, phone, at }) {
    const text = `Dear ${name}, your table is booked for ${at}. Reply CANCEL to cancel.`
    await this.#client.alert.send({ phone, message: text, priority: 'high' }, { idempotencyKey: `booked-${id}` })
    const sendAt = new Date(Date.parse(at) - dayMs).toISOString()
    const reminder = { phone, message: `See you tomorrow, ${name}!`, sendAt, label: id }
    const { reminder: created } = await this.#client.reminders.create(reminder, { idempotencyKey: `remind-${id}` })
    this.#byPhone.set(phone.replace(/\D/g, ''), { id, name, reminderId: created.id })
    return { id }
  }

  /** Cancels the booking of a guest who writes CANCEL. A repeated event has the same key, so it sends nothing again. */
  async #reply({ id, data }) {
    if (data.isGroup || !/^\s*cancel\s*$/i.test(data.body)) return
    const booking = this.#byPhone.get(data.sender)
    if (booking) {
      await this.#client.reminders.cancel({ id: booking.reminderId })
      this.#byPhone.delete(data.sender)
    }
    const message = booking ? `Your table is cancelled, ${booking.name}.` : 'We have no booking of yours.'
    const send = { phone: data.sender, message, containerId: data.containerId }
    await this.#client.alert.send(send, { idempotencyKey: `cancel-${id}` })
  }

  /** Follows what guests write, from now on. Resolves once nothing can be missed; `done` resolves after `stop`. */
  async start() {
    const { events, nextCursor } = await this.#client.events.list({ order: 'newest', limit: 1 })
    // Before the first event there is no id; the cursor of the empty list is then the beginning of the log.
    return { done: this.#follow(events[0]?.id ?? nextCursor) }
  }

  async #follow(after) {
    const { signal } = this.#stop
    try {
      const stream = this.#client.events.stream({ types: ['message.inbound'], after }, { signal })
      for await (const event of stream) if (event.event === 'message.inbound') await this.#reply(event)
    } catch (error) {
      if (!isMessagingError(error, 'ABORTED')) throw error
    }
  }

  stop() {
    this.#stop.abort()
  }
}

/** What a guest's browser is shown instead of an error: the status and a sentence. */
function explain(error) {
  if (isMessagingError(error, 'NUMBER_NOT_ON_NETWORK')) return [422, 'We cannot reach this number. Please check it.']
  if (isMessagingError(error, 'VALIDATION_ERROR')) return [422, error.message]
  return [503, 'Your table is not booked. Please try again in a minute.']
}

/** Serves POST /bookings with `{ id, name, phone, at }`, where `at` is ISO 8601. */
export function createApp(bookings) {
  return createServer(async (request, response) => {
    const respond = (status, body) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.method !== 'POST' || request.url !== '/bookings')
      return respond(404, { error: 'There is no such page.' })
    try {
      respond(201, await bookings.book(await json(request)))
    } catch (error) {
      const [status, message] = explain(error)
      respond(status, { error: message })
    }
  })
}

if (process.argv[1] === import.meta.filename) {
  const bookings = new Bookings()
  const { done } = await bookings.start()
  const server = createApp(bookings).listen(Number(process.env.PORT ?? 4100))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close() && bookings.stop())
  await done
}
