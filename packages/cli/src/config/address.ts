/** The address as a URL, or undefined when it is not plain http or https without user, query and fragment. */
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

/** Whether the address is this machine itself, where nobody can listen in on plain http. */
export function isThisMachine(url: URL): boolean {
  const host = url.hostname
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** Whether both addresses are the same host and port by the same protocol: what a key may travel to. */
export function sameHost(one: string, other: string): boolean {
  const [first, second] = [readAddress(one), readAddress(other)]
  return first !== undefined && second !== undefined && first.origin === second.origin
}
