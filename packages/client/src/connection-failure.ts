/**
 * The codes of failures before any byte of the request was sent: of the DNS lookup, the connection, and the TLS
 * handshake with its certificate (the codes of OpenSSL, and those of Node.js).
 */
const neverSentCodes = [
  /^(ECONNREFUSED|ENOTFOUND|EAI_(AGAIN|FAIL|NODATA)|E(HOST|NET)(UNREACH|DOWN)|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT)$/,
  /^ERR_SSL_(WRONG_VERSION|UNSUPPORTED_PROTOCOL|SSLV3_ALERT_HANDSHAKE|TLSV1_ALERT_PROTOCOL)/,
  /^(CERT_|ERR_TLS_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/,
]

/** The message of Node.js for a connection that closed during the TLS handshake; its code is only ECONNRESET. */
const cutInHandshake = 'before secure TLS connection was established'
/** The message of `fetch` for a port that it never connects to, such as 9; it has no code. */
const refusedPort = 'bad port'

interface Facts {
  readonly code?: unknown
  readonly syscall?: unknown
  readonly message?: unknown
  readonly cause?: unknown
  /** The failures of the single addresses, if the name has several. */
  readonly errors?: unknown
}

/** Returns the error and its causes. The first error of `fetch` is only a TypeError. */
function causeChain(error: unknown): Facts[] {
  const found: Facts[] = []
  for (let next = error; typeof next === 'object' && next !== null && found.length < 5; next = (next as Facts).cause) {
    found.push(next as Facts)
  }
  return found
}

/** System calls on an open connection. If one fails, part of the request may have been sent. */
const established: ReadonlySet<unknown> = new Set(['read', 'write', 'writev'])

function provesNeverSent(facts: Facts): boolean {
  if (facts.syscall === 'connect' || facts.syscall === 'getaddrinfo') return true
  if (established.has(facts.syscall)) return false
  if (facts.message === refusedPort) return true
  if (typeof facts.message === 'string' && facts.message.includes(cutInHandshake)) return true
  const { code } = facts
  if (typeof code === 'string' && neverSentCodes.some((form) => form.test(code))) return true
  return (
    Array.isArray(facts.errors) && facts.errors.length > 0 && facts.errors.every((each) => provesNeverSent(each ?? {}))
  )
}

/**
 * Returns whether a rejected `fetch` proves that nothing was sent: connection refused, unknown host, connect timeout or
 * TLS failure. After a reset, and in runtimes that give no reason (browsers, edge), the request may have been sent.
 */
export function wasNeverSent(error: unknown): boolean {
  return causeChain(error).some(provesNeverSent)
}

/** Returns the code and message of the innermost cause: `ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1`. */
export function describeFailure(error: unknown): { readonly code: string | undefined; readonly text: string } {
  const facts = causeChain(error)
  const code = facts.map((entry) => entry.code).find((entry) => typeof entry === 'string' && entry !== '') as
    | string
    | undefined
  const texts = facts.map((entry) => entry.message).filter((entry) => typeof entry === 'string' && entry !== '')
  const text = String(texts.at(-1) ?? error)
  return { code, text: code === undefined || text.includes(code) ? text : `${code}: ${text}` }
}
