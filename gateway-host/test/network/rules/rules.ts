/** A behaviour of the real network that a client can be wrong about, with where people saw it. */
interface Rule {
  readonly says: string
  readonly seen: string
}

/** What the network demands of its clients since September 2026. */
const rules = {
  'qr-secret-rotates': {
    says: 'The first scan retires the secret of a QR. A phone links the device by the same QR with a new one.',
    seen: 'https://github.com/WhiskeySockets/Baileys/issues/2737',
  },
  'old-version-not-linked': {
    says: 'A phone links no device of an old version, and logins of a much older one fail with 405.',
    seen: 'https://github.com/WhiskeySockets/Baileys/issues/2679',
  },
  'passkey-demanded': {
    says: 'Some accounts are linked by a passkey only: the device is asked for it after the scan.',
    seen: 'https://github.com/WhiskeySockets/Baileys/issues/2672',
  },
  'code-form': {
    says: 'A device that wants a code names itself as browser and system, and sends a nonce of one zero byte.',
    seen: 'https://github.com/oxidezap/whatsapp-rust/pull/1163',
  },
  'code-ref': {
    says: 'A device ends the link by a code with the reference of that code.',
    seen: 'https://github.com/oxidezap/whatsapp-rust/pull/1163',
  },
  'one-namespace': {
    says: 'A message names all devices as it names the person: by the hidden id, or by the number.',
    seen: 'https://github.com/oxidezap/whatsapp-rust/pull/941',
  },
  'people-by-hidden-id': {
    says: 'A message to a person is addressed by the hidden id, with the number beside it; by the number it gets 463.',
    seen: 'https://github.com/rmyndharis/OpenWA/pull/717',
  },
  'signs-by-hidden-id': {
    says: 'Typing and ticks for a person are addressed as messages are; under the other name no phone shows them.',
    seen: 'https://github.com/tulir/whatsmeow/commit/4f8f64e0',
  },
  'new-contact-token': {
    says: 'A message carries a token of its recipient, or one computed with the salt of the account, if there is one.',
    seen: 'https://github.com/oxidezap/whatsapp-rust/pull/433',
  },
  'token-once': {
    says: 'An account gives a person its token once a week, and not with each message.',
    seen: 'https://github.com/oxidezap/whatsapp-rust/pull/966',
  },
  'devices-by-hidden-id': {
    says: 'The devices of a person are listed under the hidden id; under the number the list is empty.',
    seen: 'https://github.com/WhiskeySockets/Baileys/issues/2794',
  },
  'hidden-id-of-contacts': {
    says: 'Who looks a number up names the hidden id as the form of the result; without it the result has no names.',
    seen: 'https://github.com/tulir/whatsmeow/commit/6e4c3416',
  },
  'poll-meta': {
    says: 'A poll is marked as one beside its ciphertext.',
    seen: 'https://github.com/vinikjkkj/zapo/commit/fb08dee',
  },
  'change-hidden': {
    says: 'A change of a message is hidden by devices that cannot decrypt it.',
    seen: 'https://github.com/tulir/whatsmeow/blob/main/send.go',
  },
  'caption-edit': {
    says: 'A caption is edited as part of its file; a text in its place erases it.',
    seen: 'https://github.com/tulir/whatsmeow/issues/684',
  },
  'device-hash': {
    says: 'Each acknowledgement has the hash of the devices that the message should have been encrypted for.',
    seen: 'https://github.com/tulir/whatsmeow/issues/1190',
  },
  'silent-presence': {
    says: 'A presence without a type makes the account available, and the phone does not ring.',
    seen: 'https://github.com/WhiskeySockets/Baileys/issues/893',
  },
} as const satisfies Readonly<Record<string, Rule>>

export type RuleName = keyof typeof rules

/** The names of all rules. */
const ruleNames = Object.keys(rules) as RuleName[]

/** Which rules a network applies: those of September 2026, which tests use, or none, as in 2025. */
export type Profile = '2026-09' | 'lenient'

/** The rules of a network, and which of them were broken. */
export class Rules {
  readonly #applied: Set<RuleName>
  readonly #pretended = new Set<RuleName>()
  /** How often each rule was broken. */
  readonly broken = new Map<RuleName, number>()

  constructor(profile: Profile) {
    this.#applied = new Set(profile === 'lenient' ? [] : ruleNames)
  }

  applies(name: RuleName): boolean {
    return this.#applied.has(name)
  }

  /** Applies a rule, or no more. */
  set(name: RuleName, isApplied: boolean): void {
    if (isApplied) this.#applied.add(name)
    else this.#applied.delete(name)
  }

  /** Acts as if everything broke these rules, and no others. */
  pretend(names: readonly RuleName[]): void {
    this.#pretended.clear()
    for (const name of names) this.#pretended.add(name)
  }

  /** Returns whether something breaks a rule that is applied, and counts it. */
  breaks(name: RuleName, isBroken: boolean): boolean {
    if (!(isBroken || this.#pretended.has(name)) || !this.applies(name)) return false
    this.broken.set(name, (this.broken.get(name) ?? 0) + 1)
    return true
  }
}
