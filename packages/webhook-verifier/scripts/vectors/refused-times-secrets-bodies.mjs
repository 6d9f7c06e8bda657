import { hmac, macOf, nowSeconds, payloadOf, refused, secret } from './signing.mjs'

/** @import { Change } from './signing.mjs' */

const right = `t=${nowSeconds},v1=${macOf()}`
/** @param {string} key */
const signed = (key) => `t=${nowSeconds},v1=${macOf(undefined, key)}`

/**
 * @param {string} name
 * @param {string} reason
 * @param {number} seconds
 * @param {Change} [change]
 */
const late = (name, reason, seconds, change = {}) =>
  refused(name, reason, right, { nowSeconds: nowSeconds + seconds, ...change })

const timeVectors = [
  late('301 seconds old', 'timestamp_too_old', 301),
  late('an hour old', 'timestamp_too_old', 3_600),
  late('a year old', 'timestamp_too_old', 31_536_000),
  late('301 seconds ahead', 'timestamp_too_new', -301),
  late('an hour ahead', 'timestamp_too_new', -3_600),
  late('a year ahead', 'timestamp_too_new', -31_536_000),
  late('one second old with no tolerance', 'timestamp_too_old', 1, { toleranceSeconds: 0 }),
  late('one second ahead with no tolerance', 'timestamp_too_new', -1, { toleranceSeconds: 0 }),
]

/**
 * @param {string} name
 * @param {string[]} secrets
 */
const badSecret = (name, ...secrets) => refused(name, 'malformed_secret', signed(secrets[0] ?? ''), { secrets })

const secretVectors = [
  badSecret('no secret'),
  badSecret('an empty secret', ''),
  badSecret('only the prefix', 'whsec_'),
  badSecret('a secret without its prefix', secret.slice(6)),
  badSecret('the prefix in upper case', secret.replace('whsec_', 'WHSEC_')),
  badSecret('a secret one character short', secret.slice(0, -1)),
  badSecret('a secret one character long', `${secret}0`),
  badSecret('a secret that is not hex', `whsec_${'g'.repeat(64)}`),
  badSecret('a line break after the secret', `${secret}\n`),
  badSecret('a space before the secret', ` ${secret}`),
  badSecret('quotes around the secret', `"${secret}"`),
  badSecret('a secret of another service, in base64', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
  badSecret('a right secret beside a broken one', secret, 'whsec_'),
]

/**
 * @param {string} name
 * @param {string} reason
 * @param {string} text
 */
const validly = (name, reason, text) => refused(name, reason, `t=${nowSeconds},v1=${macOf(text)}`, { body: text })
/** @param {Record<string, unknown>} fields */
const event = (fields) =>
  JSON.stringify({ event: 'message.delivered', data: {}, timestamp: '2026-10-01T00:00:00.000Z', ...fields })
/** An invalid byte inside a text, which a lenient decoder would replace. */
const notUtf8 = Buffer.from(event({ data: { text: '\u00ff' } }), 'latin1')

/** All have a valid signature: a verifier parses after it has verified, and then checks the event. */
const bodyVectors = [
  validly('an empty body, rightly signed', 'invalid_json', ''),
  validly('a body that is not JSON', 'invalid_json', 'event=message.delivered'),
  validly('JSON cut short', 'invalid_json', event({}).slice(0, -1)),
  validly('two JSON documents', 'invalid_json', `${event({})}${event({})}`),
  refused(
    'bytes that are not UTF-8',
    'invalid_json',
    `t=${nowSeconds},v1=${hmac(secret, payloadOf(nowSeconds, notUtf8))}`,
    {
      body: undefined,
      bodyBase64: notUtf8.toString('base64'),
    },
  ),
  validly('null', 'invalid_event', 'null'),
  validly('a number', 'invalid_event', '1'),
  validly('a list', 'invalid_event', `[${event({})}]`),
  validly('no event', 'invalid_event', event({ event: undefined })),
  validly('an empty event', 'invalid_event', event({ event: '' })),
  validly('an event that is no text', 'invalid_event', event({ event: 7 })),
  validly('no data', 'invalid_event', event({ data: undefined })),
  validly('data that is null', 'invalid_event', event({ data: null })),
  validly('data that is a list', 'invalid_event', event({ data: [] })),
  validly('data that is text', 'invalid_event', event({ data: '{}' })),
  validly('no timestamp', 'invalid_event', event({ timestamp: undefined })),
  validly('a timestamp that is a number', 'invalid_event', event({ timestamp: nowSeconds })),
  validly('a timestamp that is no date', 'invalid_event', event({ timestamp: 'yesterday' })),
  validly('a timestamp that is not UTC', 'invalid_event', event({ timestamp: '2026-10-01T02:00:00+02:00' })),
]

export const timeSecretAndBodyVectors = [...timeVectors, ...secretVectors, ...bodyVectors]
