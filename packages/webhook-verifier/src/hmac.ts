const encoder = new TextEncoder()

/** Returns the UTF-8 bytes of a text. */
export const utf8 = (text: string) => encoder.encode(text)

/** Returns the signed bytes: the text of `t`, a dot, and the body (specification, "Signature"). */
export function signedPayload(timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = utf8(`${timestamp}.`)
  const payload = new Uint8Array(head.length + body.length)
  payload.set(head)
  payload.set(body, head.length)
  return payload
}

/** The keys of recent secrets. Importing a key takes longer than computing the MAC of a typical body. */
const keys = new Map<string, ReturnType<typeof crypto.subtle.importKey>>()

function importKey(secret: string) {
  let key = keys.get(secret)
  if (!key) {
    if (keys.size > 999) keys.clear()
    key = crypto.subtle.importKey('raw', utf8(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    keys.set(secret, key)
  }
  return key
}

/**
 * Returns the HMAC-SHA256 in lower-case hex. The key is the UTF-8 text of the secret including `whsec_`; some libraries
 * decode the rest as base64 or hex and get another key.
 */
export async function hmacHex(secret: string, payload: Uint8Array<ArrayBuffer>): Promise<string> {
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', await importKey(secret), payload))
  let hex = ''
  for (const byte of mac) hex += (byte + 256).toString(16).slice(1)
  return hex
}

/** Returns whether two MACs of 64 hex characters are equal, in constant time. */
export function equalMacs(left: string, right: string): boolean {
  let difference = 0
  for (let index = 0; index < left.length; index++) difference |= left.charCodeAt(index) ^ right.charCodeAt(index)
  return difference === 0
}
