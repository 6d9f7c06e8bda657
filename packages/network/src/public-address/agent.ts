import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import type { Agent, buildConnector } from 'undici'
import { type AllowedRanges, mayReach } from './address.ts'
import { RefusedAddressError } from './failure.ts'
import { type Lookup, reachableAddresses } from './lookup.ts'
import { normalizeHost } from './url.ts'

const connectTimeoutMs = 10_000
const maxHeaderBytes = 16 * 1024

/** An agent, created when it is first needed: its library is an eighth of what a process loads, and many never post. */
export interface PublicAgent {
  get(): Promise<Agent>
  /** Ends every connection. */
  close(): Promise<void>
}

/**
 * The one agent for addresses that strangers give us, of the server and of gateway hosts. It judges where each socket
 * goes three times: a literal before the connection (a literal is never looked up), every address of a name when it is
 * looked up for that very connection (so a name that changes its answer gains nothing), and the address the socket
 * really has.
 */
export function publicAgent(allowed: AllowedRanges, lookup: Lookup): PublicAgent {
  let made: Promise<Agent> | undefined
  return {
    get() {
      made ??= makeAgent(allowed, lookup)
      return made
    },
    close: async () => (await made)?.destroy(),
  }
}

async function makeAgent(allowed: AllowedRanges, lookup: Lookup): Promise<Agent> {
  const undici = await import('undici')
  return new undici.Agent({
    connect: publicConnector(
      undici.buildConnector({ timeout: connectTimeoutMs, lookup: guardedLookup(allowed, lookup) }),
      allowed,
    ),
    maxHeaderSize: maxHeaderBytes,
    // Each request sets its own deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

function publicConnector(connect: buildConnector.connector, allowed: AllowedRanges): buildConnector.connector {
  return (options, callback) => {
    const host = normalizeHost(options.hostname)
    if (isIP(host) !== 0 && !mayReach(host, allowed)) {
      callback(new RefusedAddressError(), null)
      return
    }
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null)
      if (mayReach(socket.remoteAddress ?? '', allowed)) return callback(null, socket)
      socket.destroy()
      callback(new RefusedAddressError(), null)
    })
  }
}

/** Returns the lookup in the form that sockets call: with `all` they want every address, otherwise the first. */
function guardedLookup(allowed: AllowedRanges, lookup: Lookup): LookupFunction {
  return (hostname, options, callback) => {
    reachableAddresses(hostname, allowed, lookup).then(
      (found) => {
        const [first] = found
        if (options.all || !first) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, ''),
    )
  }
}
