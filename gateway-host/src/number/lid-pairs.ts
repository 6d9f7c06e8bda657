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

/** Returns the other address of a person, if the pair is known: the digits of a hidden id, or the hidden id. */
export async function findOther(vault: Pick<Vault, 'readValues'>, jid: string): Promise<string | null> {
  const user = jidDecode(jid)?.user
  if (!user) return null
  const isHidden = isLidUser(jid) === true
  const id = isHidden ? `${user}${reverse}` : user
  const other = (await vault.readValues(kindNumber('lid-mapping'), [id])).get(id)
  return typeof other === 'string' ? `${other}@${isHidden ? 's.whatsapp.net' : 'lid'}` : null
}
