import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '@msgctl/network/secrets'
import { Refusal } from '#people/organizations/refusal.ts'

const purpose = 'msgctl move receipt'
const digestCharacters = 16
const macCharacters = 32
const form = /^moved\.([A-Za-z0-9_-]{1,32})\.(\d{1,15})\.(\d{1,12})\.([0-9a-f]{16})\.([0-9a-f]{32})$/

/** What an import has stored, and of which file. */
export interface Receipted {
  readonly organizationId: string
  /** The SHA-256 of the file as hex. */
  readonly digest: string
  readonly rows: number
  readonly at: Date
}

/**
 * Returns the receipt of an import: a text of one line, which a person can copy. It names the key of SECRETS_KEYS, the
 * rows, the time and the begin of the digest, and is authenticated with a key that both installations derive from
 * SECRETS_KEYS.
 */
export function formatReceipt(secrets: Secrets, keyId: string, receipted: Receipted): string {
  const seconds = Math.floor(receipted.at.getTime() / 1000)
  const { rows, digest } = receipted
  const parts = ['moved', keyId, rows, seconds, digest.slice(0, digestCharacters)]
  return [...parts, mac(secrets, keyId, receipted, seconds)].join('.')
}

/**
 * Verifies that a receipt is for one of the files that an organization was exported into. Throws {@link Refusal} for
 * any other text, with what to do.
 */
export function verifyReceipt(
  secrets: Secrets,
  receipt: string,
  { organizationId, digests }: { readonly organizationId: string; readonly digests: readonly string[] },
): void {
  const [, keyId, rows, seconds, digestBegin, given] = form.exec(receipt.trim()) ?? []
  if (keyId === undefined || rows === undefined || seconds === undefined || given === undefined) {
    throw new Refusal(
      'This is no receipt. msgctl-server org import prints it in the other installation: moved. and five parts.',
    )
  }
  if (!secrets.derive(purpose, keyId)) {
    throw new Refusal(`The receipt was made with the key ${keyId}, which SECRETS_KEYS lacks here. Add it.`)
  }
  const digest = digests.find((each) => each.startsWith(digestBegin ?? ''))
  if (digest === undefined) {
    throw new Refusal(
      digests.length === 0
        ? 'The organization was not exported since it was closed. Run msgctl-server org export here, and ' +
            'msgctl-server org import in the other installation.'
        : 'The receipt is for another file than those exported here since the organization was closed. Import ' +
            'one of those, and give the receipt that this prints.',
    )
  }
  const receipted = { organizationId, digest, rows: Number(rows), at: new Date(Number(seconds) * 1000) }
  const own = mac(secrets, keyId, receipted, Number(seconds))
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(own))) {
    throw new Refusal(
      `The receipt was changed, is for another organization, or the key ${keyId} of SECRETS_KEYS differs ` +
        'between the installations.',
    )
  }
}

function mac(secrets: Secrets, keyId: string, { organizationId, digest, rows }: Receipted, seconds: number): string {
  const derived = secrets.derive(purpose, keyId)
  if (!derived) throw new Error('a receipt is made with the key that opened the file')
  return createHmac('sha256', derived.key)
    .update([organizationId, digest, rows, seconds].join('\n'))
    .digest('hex')
    .slice(0, macCharacters)
}
