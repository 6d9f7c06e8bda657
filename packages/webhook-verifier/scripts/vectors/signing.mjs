import { createHash, createHmac } from 'node:crypto'
import { bodies } from './events.mjs'

/** @import { BinaryToTextEncoding } from 'node:crypto' */

/** @typedef {Record<string, string>} Headers */

/**
 * The parts of a request that vectors change.
 *
 * @typedef {object} Change
 * @property {string[]} [secrets]
 * @property {Headers} [headers]
 * @property {string | undefined} [body]
 * @property {string} [bodyBase64]
 * @property {number} [nowSeconds]
 * @property {number} [toleranceSeconds]
 * @property {boolean} [allowUnsigned]
 */

/** The vectors are computed with node:crypto and share no code with the package, so that each checks the other. */

export const secret = `whsec_${'0123456789abcdef'.repeat(4)}`
export const otherSecret = `whsec_${'fedcba9876543210'.repeat(4)}`
export const nowSeconds = Date.parse('2026-10-01T00:00:00Z') / 1000
export const deliveryId = '3f8f5c1e-6d0b-4a52-b7f9-0c9d2e1a4b68'
export const body = bodies['message.delivered']

const hex = secret.slice('whsec_'.length)

/** The keys that result from wrong readings of the secret. */
export const wrongKeys = {
  base64: Buffer.from(hex, 'base64'),
  hex: Buffer.from(hex, 'hex'),
  bare: Buffer.from(hex, 'utf8'),
}

/**
 * @param {string | Buffer} key
 * @param {string | Buffer} payload
 * @param {string} [algorithm]
 * @param {BinaryToTextEncoding} [encoding]
 */
export const hmac = (key, payload, algorithm = 'sha256', encoding = 'hex') =>
  createHmac(algorithm, key).update(payload).digest(encoding)

/** @param {Buffer} payload */
export const digest = (payload) => createHash('sha256').update(payload).digest('hex')

/**
 * Returns the signed bytes: t, a dot, and the body.
 *
 * @param {number | string} t
 * @param {string | Buffer} bytes
 */
export const payloadOf = (t, bytes) => Buffer.concat([Buffer.from(`${t}.`), Buffer.from(bytes)])

/**
 * Returns the correct MAC of a body.
 *
 * @param {string} [bytes]
 * @param {string} [key]
 * @param {number} [t]
 */
export const macOf = (bytes = body, key = secret, t = nowSeconds) => hmac(key, payloadOf(t, bytes))

/**
 * Returns the headers of a delivery, without the signature when it is undefined.
 *
 * @param {string | undefined} signature
 * @param {Headers} [extra]
 * @param {string} [event]
 */
export function headersOf(signature, extra = {}, event = 'message.delivered') {
  const signed = signature === undefined ? {} : { 'X-Service-Signature': signature }
  return { 'X-Service-Event': event, 'X-Service-Delivery': deliveryId, ...signed, ...extra }
}

/**
 * Returns a rejected request; `change` overrides its parts.
 *
 * @param {string} name
 * @param {string} reason
 * @param {string | undefined} signature
 * @param {Change} [change]
 */
export function refused(name, reason, signature, change = {}) {
  const request = { secrets: [secret], headers: headersOf(signature), body, nowSeconds, ...change }
  return { name, ...request, expect: { accept: false, reason } }
}

/**
 * Returns a valid delivery.
 *
 * @param {string} name
 * @param {Change} [change]
 * @param {object} [expect]
 */
export function accepted(name, change = {}, expect = {}) {
  const request = {
    secrets: [secret],
    headers: headersOf(`t=${nowSeconds},v1=${macOf()}`),
    body,
    nowSeconds,
    ...change,
  }
  return {
    name,
    ...request,
    expect: { accept: true, event: 'message.delivered', deliveryId, replayed: false, ...expect },
  }
}
