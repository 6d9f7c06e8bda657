import { bodies } from './events.mjs'
import {
  body,
  deliveryId,
  digest,
  hmac,
  macOf,
  nowSeconds,
  otherSecret,
  payloadOf,
  refused,
  secret,
  wrongKeys,
} from './signing.mjs'

const t = nowSeconds
const mac = macOf()
const right = `t=${t},v1=${mac}`
const payload = payloadOf(t, body)
const inbound = bodies['message.inbound']

/**
 * @param {string} name
 * @param {string} value
 */
const wrongMac = (name, value) => refused(name, 'no_matching_signature', `t=${t},v1=${value}`)
/**
 * @param {string} name
 * @param {string} received
 * @param {string} [sent]
 */
const changed = (name, received, sent = body) =>
  refused(name, 'no_matching_signature', `t=${t},v1=${macOf(sent)}`, { body: received })

/** @param {string | undefined} text */
const flip = (text) => (text === '0' ? '1' : '0')
const reordered = () => {
  const { event, data, timestamp } = JSON.parse(body)
  return JSON.stringify({ timestamp, data, event })
}

export const signatureVectors = [
  changed('one character of the body changed', body.replace('12025550123', '12025550124')),
  changed('a line break added to the body', `${body}\n`),
  changed('a space added to the body', `${body} `),
  changed('the body cut short', body.slice(0, -1)),
  changed('an empty body', ''),
  changed('the body of another event', bodies['message.failed']),
  changed('the body serialised again with spaces', JSON.stringify(JSON.parse(body), null, 2)),
  changed('the body serialised again in another order', reordered()),
  changed('a slash escaped', inbound.replace('"chat"', '"\\u0063hat"'), inbound),
  changed('letters escaped as \\u', inbound.replace('ü', '\\u00fc'), inbound),
  changed('letters in another normal form', inbound.normalize('NFD'), inbound),
  changed('a byte order mark before the body', `\ufeff${body}`),
  changed('the body read as Latin-1', Buffer.from(inbound).toString('latin1'), inbound),
  refused('another t than was signed', 'no_matching_signature', `t=${t + 1},v1=${mac}`),
  wrongMac('an old MAC under a fresh t', macOf(body, secret, t - 3600)),
  wrongMac('the body signed without t', hmac(secret, body)),
  wrongMac('no dot between t and body', hmac(secret, `${t}${body}`)),
  wrongMac('a colon between t and body', hmac(secret, `${t}:${body}`)),
  wrongMac('the body before t', hmac(secret, `${body}.${t}`)),
  wrongMac('the delivery id signed too, as in Standard Webhooks', hmac(secret, `${deliveryId}.${t}.${body}`)),
  wrongMac('t in milliseconds signed', hmac(secret, `${t}000.${body}`)),
  wrongMac('the key decoded from base64, as generic libraries do', hmac(wrongKeys.base64, payload)),
  wrongMac('the key decoded from hex', hmac(wrongKeys.hex, payload)),
  wrongMac('the key without whsec_', hmac(wrongKeys.bare, payload)),
  wrongMac('the key with a line break after it', hmac(`${secret}\n`, payload)),
  wrongMac('an empty key', hmac('', payload)),
  wrongMac('another secret', macOf(body, otherSecret)),
  wrongMac('a plain SHA-256 of what is signed', digest(payload)),
  wrongMac('a SHA-256 with the secret before it', digest(Buffer.concat([Buffer.from(secret), payload]))),
  wrongMac('HMAC-SHA512, cut to 64 characters', hmac(secret, payload, 'sha512').slice(0, 64)),
  wrongMac('HMAC-SHA3-256', hmac(secret, payload, 'sha3-256')),
  wrongMac('all zeros', '0'.repeat(64)),
  wrongMac('the first character of the MAC changed', flip(mac[0]) + mac.slice(1)),
  wrongMac('the last character of the MAC changed', mac.slice(0, -1) + flip(mac.at(-1))),
  wrongMac('the MAC reversed', [...mac].reverse().join('')),
  refused(
    'two v1 and neither fits',
    'no_matching_signature',
    `t=${t},v1=${macOf(body, otherSecret)},v1=${digest(payload)}`,
  ),
  refused('a receiver with two secrets and neither fits', 'no_matching_signature', right, {
    secrets: [otherSecret, `whsec_${'00'.repeat(32)}`],
  }),
  refused('a secret in the other case', 'no_matching_signature', right, {
    secrets: [secret.replace(/[a-f]/g, (letter) => letter.toUpperCase()).replace('whsEC_', 'whsec_')],
  }),
]
