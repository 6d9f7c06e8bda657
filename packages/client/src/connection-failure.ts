/** Failures of the name look-up and of the connect: no byte of the request has left. */
const neverSentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
])

/** A certificate that was not accepted: OpenSSL's words, and Node's own for the host name and the handshake. */
const certificateCode = /^(CERT_|ERR_TLS_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/

/** Node's wording for a connection that was cut inside the TLS handshake; its code is a bare ECONNRESET. */
const cutInHandshake = 'before secure TLS connection was established'

interface Facts {
  readonly code?: unknown
  readonly syscall?: unknown
  readonly message?: unknown
  readonly cause?: unknown
  /** The failures of the single addresses, when a name had several. */
  readonly errors?: unknown
}

/** The error itself, then what it says caused it; `fetch` hides the interesting one behind a TypeError. */
function chain(error: unknown): Facts[] {
  const found: Facts[] = []
  for (let next = error; typeof next === 'object' && next !== null && found.length < 5; next = (next as Facts).cause) {
    found.push(next as Facts)
  }
  return found
}

/** What a connection does that stands already; a network that is gone by then may have taken the request with it. */
const established: ReadonlySet<unknown> = new Set(['read', 'write', 'writev'])

function saysNeverSent(facts: Facts): boolean {
  if (facts.syscall === 'connect' || facts.syscall === 'getaddrinfo') return true
  if (established.has(facts.syscall)) return false
  if (typeof facts.message === 'string' && facts.message.includes(cutInHandshake)) return true
  if (typeof facts.code === 'string' && (neverSentCodes.has(facts.code) || certificateCode.test(facts.code)))
    return true
  return (
    Array.isArray(facts.errors) && facts.errors.length > 0 && facts.errors.every((each) => saysNeverSent(each ?? {}))
  )
}

/**
 * Whether a rejected `fetch` proves that nothing went out: refused, no such host, connect time-out, TLS. A reset, and
 * every error of a runtime that does not say (browsers, edge runtimes), may have gone out.
 */
export function wasNeverSent(error: unknown): boolean {
  return chain(error).some(saysNeverSent)
}

/** The code and the words of the innermost cause, for a person: `ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1`. */
export function describeFailure(error: unknown): { readonly code: string | undefined; readonly text: string } {
  const facts = chain(error)
  const code = facts.map((entry) => entry.code).find((entry) => typeof entry === 'string' && entry !== '') as
    | string
    | undefined
  const texts = facts.map((entry) => entry.message).filter((entry) => typeof entry === 'string' && entry !== '')
  const text = String(texts.at(-1) ?? error)
  return { code, text: code === undefined || text.includes(code) ? text : `${code}: ${text}` }
}
