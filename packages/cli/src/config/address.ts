/** Returns the address as a URL, or undefined unless it is http or https without user, query and fragment. */
export function readAddress(text: string): URL | undefined {
  let url: URL
  try {
    url = new URL(text.trim())
  } catch {
    return undefined
  }
  const plain = !url.username && !url.password && !url.search && !url.hash
  return plain && /^https?:$/.test(url.protocol) ? url : undefined
}

/** Returns whether the address is this machine, where plain http cannot be intercepted. */
export function isThisMachine(url: URL): boolean {
  const host = url.hostname
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** Returns whether both addresses have the same origin. A key is sent only to the origin it was stored for. */
export function sameHost(one: string, other: string): boolean {
  const [first, second] = [readAddress(one), readAddress(other)]
  return first !== undefined && second !== undefined && first.origin === second.origin
}
