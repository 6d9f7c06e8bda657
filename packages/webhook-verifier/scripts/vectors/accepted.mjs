import { bodies } from './events.mjs'
import { accepted, body, deliveryId, headersOf, macOf, nowSeconds, otherSecret, secret } from './signing.mjs'

const right = `t=${nowSeconds},v1=${macOf()}`
const wrongMac = '0'.repeat(64)
const spaced = JSON.stringify(JSON.parse(body), null, 2).replaceAll('\n', '\r\n')
const unknownKind = '{"event":"message.edited","data":{"messageId":"m-1"},"timestamp":"2026-10-01T00:00:00.000Z"}'
const upperSecret = `whsec_${'0123456789ABCDEF'.repeat(4)}`

/**
 * @param {string} text
 * @param {string} [key]
 * @param {number} [t]
 */
const signed = (text, key = secret, t = nowSeconds) => `t=${t},v1=${macOf(text, key, t)}`

const kinds = Object.entries(bodies).map(([event, text]) =>
  accepted(`the event ${event}`, { headers: headersOf(signed(text), {}, event), body: text }, { event }),
)

export const acceptedVectors = [
  ...kinds,
  accepted('a t exactly 300 seconds old', { nowSeconds: nowSeconds + 300 }),
  accepted('a t exactly 300 seconds ahead', { nowSeconds: nowSeconds - 300 }),
  accepted('a wider tolerance', { nowSeconds: nowSeconds + 600, toleranceSeconds: 600 }),
  accepted('two v1 of which the first fits', { headers: headersOf(`${right},v1=${wrongMac}`) }),
  accepted('two v1 of which the second fits', { headers: headersOf(`t=${nowSeconds},v1=${wrongMac},v1=${macOf()}`) }),
  accepted('a rotation: both secrets sign, the receiver knows the old one', {
    headers: headersOf(`${signed(body, otherSecret)},v1=${macOf()}`),
  }),
  accepted('a rotation: both secrets sign, the receiver knows the new one', {
    secrets: [otherSecret],
    headers: headersOf(`${signed(body, otherSecret)},v1=${macOf()}`),
  }),
  accepted('a receiver with two secrets, the second one fits', { secrets: [otherSecret, secret] }),
  accepted('v1 before t', { headers: headersOf(`v1=${macOf()},t=${nowSeconds}`) }),
  accepted('spaces around the elements', { headers: headersOf(`t=${nowSeconds}, v1=${macOf()} `) }),
  accepted('elements of other schemes are ignored', { headers: headersOf(`${right},v0=abc,v2=${wrongMac},kid=7`) }),
  accepted('header names in lower case', {
    headers: { 'x-service-signature': right, 'x-service-delivery': deliveryId, 'x-service-event': 'message.delivered' },
  }),
  accepted('header names in upper case', {
    headers: { 'X-SERVICE-SIGNATURE': right, 'X-SERVICE-DELIVERY': deliveryId, 'X-SERVICE-EVENT': 'message.delivered' },
  }),
  accepted('white space of the body is kept', { headers: headersOf(signed(spaced)), body: spaced }),
  accepted('a secret with upper-case hex is used as it stands', {
    secrets: [upperSecret],
    headers: headersOf(signed(body, upperSecret)),
  }),
  accepted('a replay', { headers: headersOf(right, { 'X-Service-Replay': 'true' }) }, { replayed: true }),
  accepted('a replay header that does not say true', { headers: headersOf(right, { 'X-Service-Replay': 'false' }) }),
  accepted(
    'an event type that is not known yet',
    { headers: headersOf(signed(unknownKind), {}, 'message.edited'), body: unknownKind },
    { event: 'message.edited' },
  ),
  accepted('X-Service-Event says something else: the signed body decides', {
    headers: headersOf(right, { 'X-Service-Event': 'message.failed' }),
  }),
  accepted('no delivery id', { headers: { 'X-Service-Signature': right } }, { deliveryId: null }),
  accepted('an unsigned delivery, where the receiver allows it', {
    headers: headersOf(undefined),
    allowUnsigned: true,
  }),
]
