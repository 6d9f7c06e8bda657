/** What a link carries behind the #, which no server and no log sees. */
const fragmentKinds = ['welcome', 'join', 'reset', 'verify'] as const

/** A link of a mail or of the terminal. */
export interface LinkFragment {
  readonly kind: (typeof fragmentKinds)[number]
  readonly token: string
}

/** Returns what a fragment such as `#join=abc` carries, or null. */
export function readFragment(hash: string): LinkFragment | null {
  const [, name, token] = /^#(\w+)=([\w.~-]{1,300})$/.exec(hash) ?? []
  const kind = fragmentKinds.find((each) => each === name)
  return kind === undefined || token === undefined ? null : { kind, token }
}

/** Takes the fragment out of the address, so that it is neither used nor seen twice. */
export function takeFragment(): LinkFragment | null {
  const found = readFragment(location.hash)
  if (found) history.replaceState(null, '', location.pathname + location.search)
  return found
}
