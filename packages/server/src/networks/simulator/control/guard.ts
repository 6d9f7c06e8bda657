import { createHash, timingSafeEqual } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { apiError } from '#platform/errors.ts'

export type Headers = Readonly<Record<string, string | string[] | undefined>>

const forwarded = /^(forwarded|x-forwarded-.+|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip|via)$/

/**
 * Lets only a program on this machine through that came directly. A proxy that adds no header of its own looks like
 * one, so every program sends the token as well. Throws ADMIN_ONLY.
 */
export function requireLocalCaller(headers: Headers, remoteAddress: string | undefined, token: string | null): void {
  requireLocalAddress(headers, remoteAddress)
  if (token === null || !isEqual(one(headers['x-sim-token']) ?? '', token)) {
    refuse('Send X-Sim-Token with the token in the file sim-token of the data folder.')
  }
}

/**
 * Lets only requests of this machine through that came directly: a web page cannot name a foreign host that resolves to
 * this machine (Host), nor post from its own origin (Origin), nor can a request come through a proxy. Throws
 * ADMIN_ONLY.
 */
export function requireLocalAddress(headers: Headers, remoteAddress: string | undefined): void {
  if (!isLoopbackAddress(remoteAddress)) refuse('The simulator is operated from the machine it runs on.')
  if (!isLoopbackHost(one(headers.host))) refuse('Call the simulator by a loopback address, such as 127.0.0.1.')
  const proxy = Object.keys(headers).find((name) => forwarded.test(name.toLowerCase()))
  if (proxy !== undefined) refuse(`The simulator takes no forwarded requests (${proxy}).`)
  const origin = one(headers.origin)
  if (origin !== undefined && !isLoopbackOrigin(origin)) refuse('The simulator takes no requests from web pages.')
}

function refuse(message: string): never {
  throw apiError('ADMIN_ONLY', message)
}

function isEqual(given: string, token: string): boolean {
  const [a, b] = [given, token].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header
}

function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}

/** Names are compared as they are written, so that only what means this machine everywhere passes. */
function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d{1,5})?$/i.test(host)
}

function isLoopbackOrigin(origin: string): boolean {
  return isLoopbackHost(/^https?:\/\/([^/]+)$/i.exec(origin)?.[1])
}
