import { type BinaryNode, jidEncode } from 'baileys'
import { attribute, bytesOf, child, children, node, seconds } from './frames/nodes.ts'
import type { Network } from './network.ts'
import { type Account, lidJid, phoneJid } from './people/accounts.ts'
import { deviceIdsOf } from './people/companions.ts'

function digitsIn(user: BinaryNode): string {
  return bytesOf(child(user, 'contact')).toString().replace(/\D/g, '')
}

/**
 * Returns facts about people to the account that asks: whether they exist, their devices, hidden ids and texts. Null:
 * the network stays silent.
 */
export function handleUsync(network: Network, asking: Account, stanza: BinaryNode): BinaryNode | null {
  const query = child(stanza, 'usync')
  const asked = child(query, 'query')
  const wanted = new Set(children(asked).map(({ tag }) => tag))
  const isByHiddenId = child(asked, 'contact')?.attrs.addressing_mode === 'lid'
  const users = children(child(query, 'list'), 'user')
  if (network.faults.silentChecks && wanted.has('contact')) return null
  const known = users.filter((user) => !isUncheckable(network, digitsIn(user)))
  if (users.length === 1 && known.length === 0) return null
  const facts = known.map((user) => {
    const digits = digitsIn(user)
    const account = digits === '' ? network.accounts.at(attribute(user, 'jid')).account : network.accounts.find(digits)
    if (account && wanted.has('lid') && user.attrs.jid?.endsWith('@lid') !== true) asking.paired.add(account)
    const names = namesOf(network, user, { account, digits, isByHiddenId })
    const isNamed = Object.keys(names).length > 0
    return node('user', names, factsOf(network, user, { account, wanted, isNamed }))
  })
  return node('usync', { ...query?.attrs }, [node('result'), node('list', {}, facts)])
}

function isUncheckable(network: Network, digits: string): boolean {
  return network.accounts.find(digits)?.behavior.isUncheckable ?? false
}

/** Returns how the network names a person that was asked about. */
function namesOf(
  { rules }: Network,
  user: BinaryNode,
  found: { readonly account: Account | undefined; readonly digits: string; readonly isByHiddenId: boolean },
): Record<string, string> {
  const { jid } = user.attrs
  if (jid !== undefined) return { jid }
  const { account, digits, isByHiddenId } = found
  if (rules.breaks('hidden-id-of-contacts', !isByHiddenId)) return {}
  if (!isByHiddenId) return { jid: jidEncode(account?.digits ?? digits, 's.whatsapp.net') }
  return account ? { jid: lidJid(account), pn_jid: phoneJid(account) } : {}
}

function factsOf(
  { rules }: Network,
  user: BinaryNode,
  found: { readonly account: Account | undefined; readonly wanted: ReadonlySet<string>; readonly isNamed: boolean },
): BinaryNode[] {
  const { account, wanted, isNamed } = found
  const facts: BinaryNode[] = []
  if (wanted.has('contact'))
    facts.push(node('contact', { type: account ? 'in' : 'out' }, child(user, 'contact')?.content))
  if (wanted.has('devices')) {
    const isByNumber = user.attrs.jid?.endsWith('@s.whatsapp.net') === true
    const isEmpty = rules.breaks('devices-by-hidden-id', isByNumber && account?.isMigrated === true)
    const ids = account && !isEmpty ? deviceIdsOf(account) : []
    const devices = ids.map((id) => node('device', { id: String(id), ...(id ? { 'key-index': String(id) } : {}) }))
    facts.push(node('devices', {}, [node('device-list', {}, devices)]))
  }
  if (wanted.has('lid') && account && isNamed) facts.push(node('lid', { val: lidJid(account) }))
  if (wanted.has('status') && account) facts.push(node('status', { t: seconds() }, Buffer.from(account.about)))
  return facts
}
