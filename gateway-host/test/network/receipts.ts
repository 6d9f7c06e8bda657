import type { BinaryNode } from 'baileys'
import { attribute, child, children, node, seconds } from './frames/nodes.ts'
import type { Network } from './network.ts'
import { type Account, type Connection, phoneJid, sender } from './people/accounts.ts'
import { writeAgain } from './people/writing.ts'
import { isMisaddressed } from './rules/demands.ts'

/** Handles a receipt of a device: it acknowledges messages, shows ticks, or requests a message again. */
export async function handleReceipt(network: Network, connection: Connection, stanza: BinaryNode): Promise<void> {
  const { device } = connection
  if (!device) return
  network.counts.receipts++
  const { type } = stanza.attrs
  const [id, to] = [attribute(stanza, 'id'), attribute(stanza, 'to')]
  const ids = [id, ...children(child(stanza, 'list'), 'item').map((item) => attribute(item, 'id'))]
  if (type !== 'retry') for (const one of ids) device.pending.delete(`message/${one}`)
  connection.send(node('ack', { class: 'receipt', id, from: to, ...(type ? { type } : {}) }))
  const { account, device: target } = network.accounts.at(to)
  if (!account) return
  if (type === 'retry') {
    network.counts.retriesOfDevices++
    return writeAgain(network, account, device, stanza)
  }
  if (account === device.account) return
  if (type === 'read' || type === 'played') {
    if (isMisaddressed(network, device.account, to)) return
    account.ticks.push({ ids, type, by: device.account.digits })
  }
  const { to: _to, ...attrs } = stanza.attrs
  for (const one of account.devices.values()) {
    if (target !== 0 && one.id !== target) continue
    network.deliver(one, node('receipt', { ...attrs, from: phoneJid(device.account), t: seconds() }, stanza.content))
  }
}

/** Sends the devices of a sender a receipt of one message, named as the sender named the person. */
export function sendReceipt(
  network: Network,
  by: Account,
  message: { readonly from: string; readonly id: string },
  type: 'delivered' | 'read' | 'played' | 'server-error',
): void {
  const { account } = network.accounts.at(message.from)
  const { from = '' } = sender(by, 0, message.from.endsWith('@lid') ? 'lid' : 'phone')
  for (const device of account?.devices.values() ?? []) {
    const attrs = { from, id: message.id, t: seconds(), ...(type === 'delivered' ? {} : { type }) }
    network.deliver(device, node('receipt', attrs))
  }
}
