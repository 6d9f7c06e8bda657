const encoder = new TextEncoder()

/** UTF-8 bytes of a text. */
export const utf8 = (text: string) => encoder.encode(text)

/** What is signed: `t` as it stands in the header, a dot, and the body's bytes (specification, "Signature"). */
export function signedPayload(timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = utf8(`${timestamp}.`)
  const payload = new Uint8Array(head.length + body.length)
  payload.set(head)
  payload.set(body, head.length)
  return payload
}

/** The keys of the latest secrets: making one takes longer than computing the MAC of a usual body. */
const keys = new Map<string, ReturnType<typeof crypto.subtle.importKey>>()

function keyOf(secret: string) {
  let key = keys.get(secret)
  if (!key) {
    if (keys.size > 999) keys.clear()
    key = crypto.subtle.importKey('raw', utf8(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    keys.set(secret, key)
  }
  return key
}

/**
 * HMAC-SHA256 in lower-case hex. The key is the UTF-8 of the whole secret with its `whsec_`: libraries that decode
 * what follows the prefix as base64 or hex compute with other bytes.
 */
export async function hmacHex(secret: string, payload: Uint8Array<ArrayBuffer>): Promise<string> {
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(secret), payload))
  let hex = ''
  for (const byte of mac) hex += (byte + 256).toString(16).slice(1)
  return hex
}

/** Whether two MACs of 64 hex characters are equal, in a time that does not tell how much of them is. */
export function equalMacs(left: string, right: string): boolean {
  let difference = 0
  for (let index = 0; index < left.length; index++) difference |= left.charCodeAt(index) ^ right.charCodeAt(index)
  return difference === 0
}
