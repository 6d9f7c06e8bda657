import { isLidUser, jidDecode } from 'baileys'
import { kindNumber } from '../vault/key-kinds.ts'
import type { Vault } from '../vault/vault.ts'

/** How the library stores the digits of a hidden id, beside the hidden id of the digits. */
const reverse = '_reverse'

/** Returns the pairs of hidden id and number that are known. */
export async function listLids(vault: Vault): Promise<{ lid: string; digits: string }[]> {
  const stored = await vault.readAllValues(kindNumber('lid-mapping'))
  return [...stored].flatMap(([digits, lid]) => {
    return digits.endsWith(reverse) || typeof lid !== 'string'
      ? []
      : [{ lid: `${lid.replace(/@lid$/, '')}@lid`, digits }]
  })
}

/** Returns the addresses by digits of those hidden ids of which the digits are known. */
export async function findDigits(
  vault: Pick<Vault, 'readValues'>,
  jids: readonly string[],
): Promise<Map<string, string>> {
  const ids = new Map(jids.flatMap((jid) => (isLidUser(jid) ? [[jid, `${jidDecode(jid)?.user}${reverse}`]] : [])))
  if (ids.size === 0) return new Map()
  const found = await vault.readValues(kindNumber('lid-mapping'), [...ids.values()])
  const pairs = [...ids].map(([jid, id]) => [jid, found.get(id)] as const)
  return new Map(pairs.flatMap(([jid, digits]) => (typeof digits === 'string' ? [[jid, toJid(digits)]] : [])))
}

function toJid(digits: string): string {
  return `${digits}@s.whatsapp.net`
}

/** Returns the other address of a person, if the pair is known: the digits of a hidden id, or the hidden id. */
export async function findOther(vault: Pick<Vault, 'readValues'>, jid: string): Promise<string | null> {
  const user = jidDecode(jid)?.user
  if (!user) return null
  if (isLidUser(jid)) return (await findDigits(vault, [jid])).get(jid) ?? null
  const lid = (await vault.readValues(kindNumber('lid-mapping'), [user])).get(user)
  return typeof lid === 'string' ? `${lid}@lid` : null
}
