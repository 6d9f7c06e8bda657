// A text accepted with the guarantees of the service, by hand: the same statements, shared by the requests of one
// moment, and around them nothing but node:http. No route, no schema, no log line, no headers. What the service could
// reach at most.
import { createServer } from 'node:http'
import { authenticate } from '@msgctl/server/api/access/authenticate'
import { openKey } from '@msgctl/server/api/idempotency/idempotency'
import { connect } from '@msgctl/server/platform/db/db'
import { findTextFacts } from '@msgctl/server/sending/alert/text-facts-store'
import { storeTexts } from '@msgctl/server/sending/messages/queue/enqueue'

/**
 * @import { AddressInfo } from 'node:net'
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 */

const clock = /** @type {never} */ ({ now: () => new Date() })
const services = { db: connect(process.env.DATABASE_URL ?? '', { poolMax: 20 }), clock }
/** @param {unknown} answer */
const toBody = (answer) => answer
const route = /** @type {const} */ ({ endpoint: 'POST /alert/send', status: 201, bulk: false })

/** @param {IncomingMessage} request @param {ServerResponse} response */
async function accept(request, response) {
  const { caller } = await authenticate(services.db, request.headers)
  /** @type {Buffer[]} */
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = JSON.parse(String(Buffer.concat(chunks)))
  const { phone, message } = body
  if (!/^\d{7,15}$/.test(phone) || message.length > 4096) throw new Error('the text is not valid')
  const { organizationId } = caller
  const facts = await findTextFacts(services.db, { organizationId, requested: null, digits: phone })
  const chosen = facts.candidates.find(({ isDefault }) => isDefault)
  if (!facts.known?.onNetwork || chosen === undefined) throw new Error('the recipient is not known')
  const containerId = chosen.id
  const keyed = { key: String(request.headers['idempotency-key'] ?? '') || null, caller, route, input: { body } }
  const idempotency = await openKey(services.db, /** @type {never} */ ({ ...keyed, toBody }))
  const text = /** @type {const} */ ({ type: 'alert', recipient: phone, text: message, priority: 'normal' })
  const answer = await storeTexts(
    { caller, idempotency },
    services,
    [{ ...text, organizationId, containerId, pinned: false, clientReference: null, sentBy: 'key' }],
    ([messageId]) => ({ success: true, messageId, status: 'queued', priority: 'normal', containerId }),
  )
  response.writeHead(201, { 'content-type': 'application/json' })
  response.end(JSON.stringify(answer))
}

const server = createServer((request, response) => {
  accept(request, response).catch((error) => {
    response.writeHead(500)
    response.end(String(error))
  })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {AddressInfo} */ (server.address())
  console.log(`http://127.0.0.1:${port}`)
})
