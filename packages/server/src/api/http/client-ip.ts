import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import proxyAddr from 'proxy-addr'

type Trust = ReturnType<typeof proxyAddr.compile>

/** What the client's address is read from. */
export interface AddressedRequest {
  readonly headers: IncomingMessage['headers']
  readonly socket: { readonly remoteAddress: string | undefined }
}

/**
 * Returns a function that reads the client's address from a request. X-Forwarded-For counts only as far as trusted
 * proxies wrote it, read from its end. `trusted` holds addresses and CIDR ranges; throws an Error that names an entry
 * that is neither.
 */
export function clientIp(trusted: readonly string[]): (request: AddressedRequest) => string {
  const trusts = trusted.map(compileTrust)
  const isTrusted: Trust = (address, hop) => trusts.some((trust) => trust(withoutPort(address), hop))

  return (request) => {
    const hops = proxyAddr.all(request as IncomingMessage, isTrusted)
    // An entry that is not an address identifies no client, so the proxy that wrote it counts.
    const address = hops.map(withoutPort).findLast((hop) => isIP(hop) !== 0)
    // Mapped IPv4 reads as IPv4, so that one client has one address.
    return address === undefined ? '' : ipaddr.process(address).toString()
  }
}

function compileTrust(entry: string): Trust {
  try {
    return proxyAddr.compile(entry)
  } catch {
    throw new Error(`TRUSTED_PROXIES: ${entry} is neither an address nor a range like 10.0.0.0/8`)
  }
}

const addressWithPort = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i

/** Some load balancers write `address:port` or `[address]:port`. */
function withoutPort(entry: string | undefined): string {
  const [, v6, v4] = addressWithPort.exec(entry ?? '') ?? []
  return v6 ?? v4 ?? entry ?? ''
}
