// Run with `node --test`. The real service takes part, with people who are simulated and a clock that moves.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { MessagingClient } from '@msgctl/client'
import { connectService, startService } from '@msgctl/server/fixture'
import { Bookings, createApp } from './app.mjs'

// Several test files can share a service: the first one starts it and passes its `connection` on.
const shared = process.env.MSGCTL_SERVICE
const service = shared ? connectService(JSON.parse(shared)) : await startService()
const { baseUrl, apiKey } = service
const bookings = new Bookings(new MessagingClient({ baseUrl, apiKey, maxRetries: 0 }))
const server = createApp(bookings).listen(0)

let address
let following
before(async () => {
  await once(server, 'listening')
  address = `http://127.0.0.1:${server.address().port}/bookings`
  following = (await bookings.start()).done
})
after(async () => {
  bookings.stop()
  server.close()
  await following
  await service.stop?.()
})

/** Books a table in a week. */
async function book(id, phone) {
  const at = new Date((await service.now()).getTime() + 7 * 86_400_000).toISOString()
  const response = await fetch(address, { method: 'POST', body: JSON.stringify({ id, name: 'Ada', phone, at }) })
  return { status: response.status, ...(await response.json()) }
}

/** Returns the texts that have reached a phone. */
const textsTo = async (phone) => (await service.transcript(phone)).map(({ text }) => text)

test('confirms a table, and reminds of it the day before', async () => {
  const phone = '+12025550171'
  assert.deepEqual(await book('b-1', phone), { status: 201, id: 'b-1' })
  await service.received(phone, /Dear Ada, your table is booked/)
  await service.advance('5d23h')
  assert.equal((await textsTo(phone)).length, 1)
  await service.advance('2h')
  await service.received(phone, 'See you tomorrow, Ada!')
})

test('cancels a table by a reply, and the reminder with it', async () => {
  const phone = '+12025550172'
  await book('b-2', phone)
  await service.inbound(phone, 'Cancel')
  await service.received(phone, 'Your table is cancelled, Ada.')
  await service.advance('8d')
  assert.equal((await textsTo(phone)).length, 2)
  await service.inbound(phone, 'cancel')
  await service.received(phone, 'We have no booking of yours.')
})

test('follows from the beginning of a log that has no event yet', async () => {
  const followed = []
  const stream = ({ after }) => {
    followed.push(after)
    return []
  }
  for (const events of [[], [{ id: 'e-1' }]]) {
    const list = async () => ({ events, nextCursor: 'start' })
    await (await new Bookings({ events: { list, stream } }).start()).done
  }
  assert.deepEqual(followed, ['start', 'e-1'])
})

test('books nothing for a number that is not on the network', async () => {
  assert.deepEqual(await book('b-3', '+12025550101'), {
    status: 422,
    error: 'We cannot reach this number. Please check it.',
  })
})

test('books nothing while the network does not respond, and then does', async () => {
  const phone = '+12025550173'
  await service.faults({ check: { unreachable: 1 } })
  assert.equal((await book('b-4', phone)).status, 503)
  await service.faults({})
  assert.equal((await book('b-4', phone)).status, 201)
})
