import { type BinaryNode, jidEncode } from 'baileys'
import { type Account, lidJid } from './accounts.ts'
import type { Network } from './network.ts'
import { attribute, bytesOf, child, children, node, seconds } from './nodes.ts'

function digitsIn(user: BinaryNode): string {
  return bytesOf(child(user, 'contact')).toString().replace(/\D/g, '')
}

/**
 * Returns facts about people: whether they exist, their devices, hidden ids and texts. Null: the network stays silent.
 */
export function handleUsync(network: Network, stanza: BinaryNode): BinaryNode | null {
  const query = child(stanza, 'usync')
  const wanted = new Set(children(child(query, 'query')).map(({ tag }) => tag))
  const users = children(child(query, 'list'), 'user')
  if (network.faults.silentChecks && wanted.has('contact')) return null
  const known = users.filter((user) => !isUncheckable(network, digitsIn(user)))
  if (users.length === 1 && known.length === 0) return null
  const facts = known.map((user) => {
    const digits = digitsIn(user)
    const account = digits === '' ? network.accounts.at(attribute(user, 'jid')).account : network.accounts.find(digits)
    const jid = user.attrs.jid ?? jidEncode(account?.digits ?? digits, 's.whatsapp.net')
    return node('user', { jid }, factsOf(account, wanted, child(user, 'contact')?.content))
  })
  return node('usync', { ...query?.attrs }, [node('result'), node('list', {}, facts)])
}

function isUncheckable(network: Network, digits: string): boolean {
  return network.accounts.find(digits)?.behavior.isUncheckable ?? false
}

function factsOf(
  account: Account | undefined,
  wanted: ReadonlySet<string>,
  phone: BinaryNode['content'],
): BinaryNode[] {
  const facts: BinaryNode[] = []
  if (wanted.has('contact')) facts.push(node('contact', { type: account ? 'in' : 'out' }, phone))
  if (wanted.has('devices')) {
    const ids = account ? [0, ...account.devices.keys()] : []
    const devices = ids.map((id) => node('device', { id: String(id), ...(id ? { 'key-index': String(id) } : {}) }))
    facts.push(node('devices', {}, [node('device-list', {}, devices)]))
  }
  if (wanted.has('lid') && account) facts.push(node('lid', { val: lidJid(account) }))
  if (wanted.has('status') && account) facts.push(node('status', { t: seconds() }, Buffer.from(account.about)))
  return facts
}
