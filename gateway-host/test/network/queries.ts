import type { BinaryNode } from 'baileys'
import { handleAppState } from './app-state.ts'
import { handleKeys } from './device-keys.ts'
import { attribute, bytesOf, child, children, node, serverJid } from './frames/nodes.ts'
import { handleLinkCode } from './linking.ts'
import { type Network, queryError } from './network.ts'
import type { Account, Connection } from './people/accounts.ts'
import { welcome } from './people/sharing.ts'
import { handleUsync } from './usync.ts'

/** What a query leads to: the content of its result, a failure, or silence. */
type Outcome = { readonly content: BinaryNode[] | undefined } | { readonly error: Record<string, string> } | 'silence'

const done: Outcome = { content: undefined }

/** Handles one query of a device. */
export async function handleQuery(network: Network, connection: Connection, stanza: BinaryNode): Promise<void> {
  const id = attribute(stanza, 'id')
  if (stanza.attrs.type === 'result') {
    // The device has accepted its link. The network makes it connect again with it.
    if (id === 'pair2' && network.endsLinking) network.end(connection, node('stream:error', { code: '515' }))
    return
  }
  const { loseEveryQuery } = network.faults
  if (++network.counts.asked % loseEveryQuery === 0) return
  const fault = network.faults.iq.get(stanza.attrs.xmlns ?? '')
  const outcome = fault ? { error: fault } : await outcomeOf(network, connection, stanza)
  if (outcome === 'silence') return
  if ('error' in outcome) connection.send(queryError(id, outcome.error))
  else connection.send(node('iq', { from: serverJid, type: 'result', id }, outcome.content))
  if (stanza.attrs.xmlns === 'passive' && child(stanza, 'active')) welcome(network, connection)
}

async function outcomeOf(network: Network, connection: Connection, stanza: BinaryNode): Promise<Outcome> {
  const { device } = connection
  if (stanza.attrs.xmlns === 'md' && !device) {
    const content = handleLinkCode(network, connection, stanza)
    return typeof content === 'string' ? { error: { code: content, text: 'bad-request' } } : { content }
  }
  if (!device) return done
  const { account } = device
  const [first] = children(stanza)
  switch (stanza.attrs.xmlns) {
    case 'md':
      if (first?.tag === 'remove-companion-device') account.devices.delete(device.id)
      return done
    case 'encrypt':
      return { content: await handleKeys(network, device, stanza) }
    case 'usync': {
      network.counts.queries++
      const facts = handleUsync(network, account, stanza)
      return facts ? { content: [facts] } : 'silence'
    }
    case 'privacy':
      if (first?.tag !== 'tokens') return { content: [privacy()] }
      noteTokens(network, account, first)
      return { content: [] }
    case 'w:m':
      return { content: [mediaConnection(network)] }
    case 'w:sync:app:state':
      return { content: [handleAppState(network, account, stanza)] }
    case 'w:mex':
      return { content: [node('result', {}, limitsOf(account))] }
    case 'status':
      account.about = bytesOf(first).toString()
      return done
    case 'w:profile:picture':
      return pictureOf(network, account, stanza)
    default:
      return { content: [] }
  }
}

/** How often a token may be given until what a client remembers of it can have been lost on the way. */
const mostTokens = 3

function noteTokens({ rules }: Network, { tokensGiven }: Account, tokens: BinaryNode): void {
  for (const token of children(tokens, 'token')) {
    const given = (tokensGiven.get(attribute(token, 'jid')) ?? 0) + 1
    tokensGiven.set(attribute(token, 'jid'), given)
    rules.breaks('token-once', given > mostTokens)
  }
}

function privacy(): BinaryNode {
  return node('privacy', {}, [node('category', { name: 'readreceipts', value: 'all' })])
}

function mediaConnection({ mediaHost }: Network): BinaryNode {
  const host = mediaHost === null ? [] : [node('host', { hostname: mediaHost, maxContentLengthBytes: '104857600' })]
  return node('media_conn', { auth: 'test', ttl: '3600', auth_ttl: '3600', max_buckets: '12' }, host)
}

/** Returns the limits of an account as the network reports them: the lock of new chats and the quota of new chats. */
function limitsOf({ timelock, capping }: Account): Buffer {
  const data = {
    xwa2_fetch_account_reachout_timelock: timelock ?? { is_active: false },
    xwa2_message_capping_info: capping ?? { capping_status: 'NONE', total_quota: -1, used_quota: 0 },
  }
  return Buffer.from(JSON.stringify({ data }))
}

function pictureOf(network: Network, own: Account, stanza: BinaryNode): Outcome {
  const { target } = stanza.attrs
  const account = target === undefined ? own : network.accounts.at(target).account
  if (stanza.attrs.type === 'set') {
    const [picture] = children(stanza)
    own.picture = picture ? bytesOf(picture) : null
    return { content: [node('picture', { id: '1' })] }
  }
  if (!account?.picture) return { error: { code: '404', text: 'item-not-found' } }
  const url = `https://${network.mediaHost}/pictures/${account.digits}`
  return { content: [node('picture', { id: '1', type: 'image', url })] }
}
