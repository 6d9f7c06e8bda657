import { randomBytes } from 'node:crypto'
import {
  aesDecryptCTR,
  aesDecryptGCM,
  aesEncryptCTR,
  type BinaryNode,
  Curve,
  derivePairingCodeKey,
  hkdf,
  hmacSign,
  jidDecode,
  proto,
  WA_ADV_ACCOUNT_SIG_PREFIX,
} from 'baileys'
import { attribute, bytesOf, child, node, seconds, serverJid } from './frames/nodes.ts'
import { type Network, newMessageId } from './network.ts'
import { type Account, type Connection, lidJid, phoneJid } from './people/accounts.ts'

const refsOfOneQr = 6

/** Sends a device that is not linked the codes for its QRs. */
export function offerLink(network: Network, connection: Connection): void {
  const refs = Array.from({ length: refsOfOneQr }, () => `2@${randomBytes(24).toString('base64')}`)
  connection.pairing = { refs, retired: null, passkeyRef: null }
  for (const ref of refs) network.refs.set(ref, connection)
  const content = refs.map((ref) => node('ref', {}, Buffer.from(ref)))
  connection.send(
    node('iq', { from: serverJid, type: 'set', id: 'pair1', xmlns: 'md' }, [node('pair-device', {}, content)]),
  )
}

/** What a phone says when the QR that it scanned is about to change. */
const scanAgain = 'the network renews the secret of this QR: scan the QR that is shown next'

/**
 * Links a device as a phone does that scans its QR. Throws an Error for a QR that is not shown any more, for one that
 * changes now, and for a device that the phone does not link.
 */
export function scanQr(network: Network, qr: string, digits: string): void {
  const [ref = '', , identity = '', secret = ''] = (qr.split('#').pop() ?? '').split(',')
  const connection = network.refs.get(ref)
  if (!connection?.pairing) throw new Error('this QR is not valid any more')
  const { pairing, revision } = connection
  if (network.rules.breaks('old-version-not-linked', revision < network.oldest.linked))
    throw new Error('the phone could not link the device: its version is too old')
  if (network.rules.applies('passkey-demanded') && network.accounts.get(digits).needsPasskey) {
    // A client that shows its next QR does not say that a passkey is demanded.
    network.rules.breaks('passkey-demanded', pairing.passkeyRef !== null && pairing.passkeyRef !== ref)
    pairing.passkeyRef ??= ref
    notify(connection, 'passkey_prologue_request', node('passkey_request_options', {}, Buffer.from('{}')))
    return
  }
  if (network.rules.applies('qr-secret-rotates')) {
    if (pairing.retired === null) {
      pairing.retired = { secret, ref }
      notify(connection, 'companion_reg_refresh', node('pair-device-rotate-qr'))
    }
    const { retired } = pairing
    // The same QR may be scanned twice before it is drawn again; the next one must have the new secret.
    network.rules.breaks('qr-secret-rotates', secret === retired.secret && ref !== retired.ref)
    if (secret === retired.secret) throw new Error(scanAgain)
  }
  link(network, connection, network.accounts.get(digits), {
    identity: Buffer.from(identity, 'base64'),
    secret: Buffer.from(secret, 'base64'),
  })
}

/** Sends a notification to a device that is not linked. */
function notify(connection: Connection, type: string, content: BinaryNode): void {
  const attrs = { from: serverJid, type, id: newMessageId(), t: seconds() }
  connection.send(node('notification', attrs, [content]))
}

/** Confirms a device to itself: its identity, signed by the phone. */
function link(
  network: Network,
  connection: Connection,
  account: Account,
  companion: { identity: Buffer; secret: Uint8Array },
): void {
  for (const ref of connection.pairing?.refs ?? []) network.refs.delete(ref)
  const id = account.nextDevice++
  const { identity } = account.phone
  const details = proto.ADVDeviceIdentity.encode({ rawId: 1, timestamp: Number(seconds()), keyIndex: id }).finish()
  const signed = Buffer.concat([WA_ADV_ACCOUNT_SIG_PREFIX, details, companion.identity])
  const inner = proto.ADVSignedDeviceIdentity.encode({
    details,
    accountSignatureKey: identity.public,
    accountSignature: Curve.sign(identity.private, signed),
  }).finish()
  const hmac = hmacSign(inner, companion.secret)
  const outer = proto.ADVSignedDeviceIdentityHMAC.encode({ details: inner, hmac }).finish()
  account.devices.set(id, {
    id,
    account,
    connection: null,
    keys: null,
    pending: new Map(),
    isNew: true,
    leftOut: new Map(),
  })
  account.refusal = null
  const success = node('pair-success', {}, [
    node('device-identity', {}, outer),
    node('platform', { name: 'android' }),
    node('device', { jid: phoneJid(account, id), lid: lidJid(account, id) }),
    node('client-props', {}, migrationOf(account)),
  ])
  connection.send(node('iq', { from: serverJid, type: 'set', id: 'pair2', xmlns: 'md' }, [success]))
}

function migrationOf({ isMigrated }: Account): Uint8Array {
  return proto.ClientPairingProps.encode({ isChatDbLidMigrated: isMigrated }).finish()
}

const linkCode = 'link_code_companion_reg'
const responseFirstMs = 50
const codeLifeMs = 180_000

/** How a client names itself: the browser, then the system. */
const displayName = /^(Chrome|Edge|Firefox|Opera|Safari) \((Linux|Mac OS|Windows|Ubuntu)\)$/

/**
 * Handles the two messages of a device that wants to be linked by a code. Returns the content of the response, or the
 * code with which the network refuses the message.
 */
export function handleLinkCode(
  network: Network,
  connection: Connection,
  stanza: BinaryNode,
): BinaryNode[] | string | undefined {
  const registration = child(stanza, linkCode)
  if (!registration) return undefined
  const digits = jidDecode(attribute(registration, 'jid'))?.user ?? ''
  const part = (name: string) => bytesOf(child(registration, name))
  if (registration.attrs.stage === 'companion_hello') {
    const nonce = part('link_code_pairing_nonce')
    const isFormed = displayName.test(part('companion_platform_display').toString()) && nonce.equals(Buffer.alloc(1))
    if (network.rules.breaks('code-form', !isFormed)) return '400'
    const ref = randomBytes(16)
    const wrappedEphemeral = part('link_code_pairing_wrapped_companion_ephemeral_pub')
    network.codes.set(digits, { connection, ref, wrappedEphemeral, requestedAtMs: Date.now() })
    return [node(linkCode, { stage: 'companion_hello' }, [node('link_code_pairing_ref', {}, ref)])]
  }
  const { finish, ref } = network.codes.get(digits) ?? {}
  if (!finish || !ref) throw new Error('the owner has not typed the code yet')
  if (network.rules.breaks('code-ref', !part('link_code_pairing_ref').equals(ref))) return '400'
  network.codes.delete(digits)
  const { account, shared } = finish
  const companionIdentity = part('companion_identity_public')
  const random = openKeyBundle(part('link_code_pairing_wrapped_key_bundle'), shared)
  const agreed = Curve.sharedKey(account.phone.identity.private, companionIdentity)
  const secret = hkdf(Buffer.concat([shared, agreed, random]), 32, { info: 'adv_secret' })
  // The response to this message comes first. Clients store the secret of the link with it.
  setTimeout(() => link(network, connection, account, { identity: companionIdentity, secret }), responseFirstMs)
  return undefined
}

/** Returns the random bytes of a wrapped key bundle: salt, counter, then the keys of both sides and the bytes. */
function openKeyBundle(bundle: Buffer, shared: Buffer): Buffer {
  const info = 'link_code_pairing_key_bundle_encryption_key'
  const key = hkdf(shared, 32, { salt: bundle.subarray(0, 32), info })
  const plain = aesDecryptGCM(bundle.subarray(44), Buffer.from(key), bundle.subarray(32, 44), Buffer.alloc(0))
  return Buffer.from(plain).subarray(64, 96)
}

/** Takes a pairing code back: its device has to request another one. */
export function takeCodeBack(network: Network, digits: string): void {
  const pending = network.codes.get(digits)
  if (!pending) throw new Error('no device requested a code for this number')
  network.codes.delete(digits)
  const content = [node('link_code_pairing_ref', {}, pending.ref)]
  notify(pending.connection, linkCode, node(linkCode, { stage: 'refresh_code' }, content))
}

/** Types a pairing code into the phone. Throws an Error when no device waits for a code of this number. */
export async function typeCode(network: Network, digits: string, code: string): Promise<void> {
  const pending = network.codes.get(digits)
  if (!pending) throw new Error('no device requested a code for this number')
  if (Date.now() - pending.requestedAtMs > codeLifeMs) throw new Error('this code is not valid any more')
  const wrapped = pending.wrappedEphemeral
  const theirKey = await derivePairingCodeKey(code, wrapped.subarray(0, 32))
  const theirEphemeral = aesDecryptCTR(wrapped.subarray(48, 80), theirKey, wrapped.subarray(32, 48))
  const account = network.accounts.get(digits)
  const ephemeral = Curve.generateKeyPair()
  const [salt, counter] = [randomBytes(32), randomBytes(16)]
  const own = aesEncryptCTR(ephemeral.public, await derivePairingCodeKey(code, salt), counter)
  pending.finish = { account, shared: Buffer.from(Curve.sharedKey(ephemeral.private, theirEphemeral)) }
  const content = [
    node('link_code_pairing_wrapped_primary_ephemeral_pub', {}, Buffer.concat([salt, counter, own])),
    node('primary_identity_pub', {}, account.phone.identity.public),
    node('link_code_pairing_ref', {}, pending.ref),
  ]
  notify(pending.connection, linkCode, node(linkCode, { stage: 'primary_hello' }, content))
}
