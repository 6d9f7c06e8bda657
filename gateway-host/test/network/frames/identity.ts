import { Curve, type KeyPair, proto, WA_CERT_DETAILS } from 'baileys'

/** The keys with which a network proves itself to devices. */
export interface NetworkIdentity {
  readonly root: KeyPair
  readonly leaf: KeyPair
  /** The certificates of leaf and intermediate, as the handshake sends them. */
  readonly chain: Uint8Array
}

const farFuture = 4_102_444_800

/** Makes a chain of certificates. A device accepts it when it has the public key of `root` pinned. */
export function makeIdentity(root: KeyPair = Curve.generateKeyPair()): NetworkIdentity {
  const intermediate = Curve.generateKeyPair()
  const leaf = Curve.generateKeyPair()
  const sign = (signer: KeyPair, serial: number, issuerSerial: number, key: Uint8Array) => {
    const fields = { serial, issuerSerial, key, notBefore: 0, notAfter: farFuture }
    const details = proto.CertChain.NoiseCertificate.Details.encode(fields).finish()
    return { details, signature: Curve.sign(signer.private, details) }
  }
  const chain = proto.CertChain.encode({
    intermediate: sign(root, 1, 0, intermediate.public),
    leaf: sign(intermediate, 2, 1, leaf.public),
  }).finish()
  return { root, leaf, chain }
}

/** Pins the root key of a test network for the Baileys sockets of this process. */
export function trustRoot(rootPublic: Uint8Array): void {
  Object.assign(WA_CERT_DETAILS, { PUBLIC_KEY: Buffer.from(rootPublic) })
}
