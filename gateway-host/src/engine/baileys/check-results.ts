import type { CheckResult } from '@msgctl/network/gateway'
import { type BinaryNode, getBinaryNodeChild, isLidUser, jidNormalizedUser } from 'baileys'
import { addressOf } from '../../translate/person.ts'

/**
 * Returns what the network says about numbers, by the digits that it was asked about. Each of its users belongs to the
 * number that it repeats, or else to the one in its place. In some countries the network knows a number in another
 * form, which may be the form of another question: then it describes the person once for both.
 */
export function resultsOf(users: readonly BinaryNode[], asked: readonly string[]): Map<string, CheckResult> {
  const found = new Map<string, CheckResult>()
  for (const [place, user] of users.entries()) {
    const result = resultOf(user)
    const digits = repeatedIn(user) ?? (users.length === asked.length ? asked[place] : undefined)
    if (result && digits !== undefined) found.set(digits, result)
  }
  for (const digits of asked) {
    const twin = found.has(digits) ? undefined : [...found].find(([other]) => areTwins(other, digits))
    if (twin) found.set(digits, twin[1])
  }
  return found
}

function repeatedIn(user: BinaryNode): string | undefined {
  const { content } = getBinaryNodeChild(user, 'contact') ?? {}
  const isText = typeof content === 'string' || content instanceof Uint8Array
  const digits = isText ? Buffer.from(content).toString().replace(/\D/g, '') : ''
  return digits === '' ? undefined : digits
}

/** Returns what one user says; null for one that says neither yes nor no. */
function resultOf(user: BinaryNode): CheckResult | null {
  const type = getBinaryNodeChild(user, 'contact')?.attrs.type
  if (type === 'out') return { exists: false }
  if (type !== 'in') return null
  const { jid = '', pn_jid: phone } = user.attrs
  const lid = getBinaryNodeChild(user, 'lid')?.attrs.val ?? (isLidUser(jid) ? jid : undefined)
  // A person is there, but the network says neither under which number nor under which name.
  if (!phone && jid === '') return null
  const address = addressOf(phone ?? jid)
  return { exists: true, address, ...(lid ? { lid: jidNormalizedUser(lid) } : {}) }
}

/** Countries whose mobile numbers have two forms: the prefix, and what one of the forms has after it. */
const forms: readonly RegExp[] = [/^(55\d\d)9?(\d{8})$/, /^(52)1?(\d{10})$/, /^(54)9?(\d{10})$/]

/** Whether two numbers are the two forms of one. */
function areTwins(one: string, other: string): boolean {
  const plain = (digits: string) => forms.map((form) => form.exec(digits)?.slice(1).join('')).find(Boolean)
  const first = plain(one)
  return first !== undefined && first === plain(other)
}
