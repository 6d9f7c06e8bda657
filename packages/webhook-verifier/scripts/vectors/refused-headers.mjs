import { body, headersOf, hmac, macOf, nowSeconds, payloadOf, refused, secret } from './signing.mjs'

const mac = macOf()
const t = nowSeconds
/**
 * A signature that would fit if `text` were taken for the time.
 *
 * @param {string} text
 */
const signedAs = (text) => `t=${text},v1=${hmac(secret, payloadOf(text, body))}`
const base64Mac = hmac(secret, payloadOf(t, body), 'sha256', 'base64')

/**
 * @param {string} name
 * @param {string} signature
 */
const malformed = (name, signature) => refused(name, 'malformed_header', signature)
/**
 * @param {string} name
 * @param {string} text
 */
const badTime = (name, text) => refused(name, 'malformed_timestamp', signedAs(text))

export const headerVectors = [
  refused('no header of the service at all', 'missing_header', undefined, { headers: {} }),
  refused('an empty signature header and nothing else', 'missing_header', undefined, {
    headers: { 'X-Service-Signature': '' },
  }),
  refused('an unsigned delivery', 'unsigned', undefined),
  refused('an empty signature', 'unsigned', ''),
  refused('the signature under another name', 'unsigned', undefined, {
    headers: headersOf(undefined, { 'X-Signature': `t=${t},v1=${mac}` }),
  }),
  malformed('a space as signature', ' '),
  malformed('no v1', `t=${t}`),
  malformed('no t', `v1=${mac}`),
  malformed('only the MAC', mac),
  refused('a semicolon between the elements', 'malformed_timestamp', `t=${t};v1=${mac}`),
  malformed('a space between the elements', `t=${t} v1=${mac}`),
  malformed('colons for equals signs', `t:${t},v1:${mac}`),
  malformed('spaces around an equals sign', `t = ${t},v1 = ${mac}`),
  malformed('a comma at the end', `t=${t},v1=${mac},`),
  malformed('a comma at the start', `,t=${t},v1=${mac}`),
  malformed('names in upper case', `T=${t},V1=${mac}`),
  malformed('quotes around v1', `t=${t},v1="${mac}"`),
  malformed('only a v0 with the right MAC', `t=${t},v0=${mac}`),
  malformed('only a v2 with the right MAC', `t=${t},v2=${mac}`),
  malformed('an empty v1', `t=${t},v1=`),
  malformed('a v1 one character short', `t=${t},v1=${mac.slice(1)}`),
  malformed('a v1 one character long', `t=${t},v1=${mac}0`),
  malformed('a v1 with its first 32 characters only', `t=${t},v1=${mac.slice(0, 32)}`),
  malformed('a v1 that is not hex', `t=${t},v1=${'g'.repeat(64)}`),
  malformed('a v1 in upper case', `t=${t},v1=${mac.toUpperCase()}`),
  malformed('a v1 with 0x before it', `t=${t},v1=0x${mac}`),
  malformed('a v1 in base64', `t=${t},v1=${base64Mac}`),
  malformed('a right v1 beside a broken one', `t=${t},v1=${mac},v1=abc`),
  malformed('Standard Webhooks form', `v1,${base64Mac}`),
  malformed('a header of more than 2,048 characters', `t=${t},v1=${mac},pad=${'x'.repeat(2048)}`),
  refused('t twice, the same', 'duplicate_timestamp', `t=${t},t=${t},v1=${mac}`),
  refused('t twice, the right one first', 'duplicate_timestamp', `t=${t},t=${t + 1},v1=${mac}`),
  refused('t twice, the right one last', 'duplicate_timestamp', `t=${t - 900},t=${t},v1=${mac}`),
  refused('two headers joined into one', 'duplicate_timestamp', `t=${t},v1=${mac}, t=${t},v1=${mac}`),
  badTime('t=123abc', '123abc'),
  badTime('letters after the right t', `${t}abc`),
  badTime('an empty t', ''),
  badTime('a negative t', `-${t}`),
  badTime('a plus sign before t', `+${t}`),
  badTime('a zero before t', `0${t}`),
  badTime('t=0', '0'),
  badTime('t in hex', `0x${t.toString(16)}`),
  badTime('t with an exponent', '1.7908128e9'),
  badTime('t with a fraction', `${t}.0`),
  badTime('t with a separator', `${t}`.replace('1', '1_')),
  badTime('t in milliseconds', `${t}000`),
  badTime('t as a date', '2026-10-01T00:00:00Z'),
  badTime(
    't in digits of another script',
    `${t}`.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit))),
  ),
]
