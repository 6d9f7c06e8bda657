import { node } from './frames/nodes.ts'
import type { Network } from './network.ts'
import type { Connection } from './people/accounts.ts'

/** Switches a phone on or off. One that comes online receives what waited. */
export function setOnline(network: Network, digits: string, online: boolean): void {
  const account = network.accounts.get(digits)
  account.online = online
  if (online) for (const deliver of account.waiting.splice(0)) deliver()
}

/** Removes all linked devices, as the owner does on the phone. */
export function unlink(network: Network, digits: string): void {
  const { devices } = network.accounts.get(digits)
  const removed = node('stream:error', { code: '401' }, [node('conflict', { type: 'device_removed' })])
  for (const connection of connectionsOf(network, digits)) network.end(connection, removed)
  devices.clear()
}

/** Ends the connections of a number with an error of the stream, e.g. `503`. */
export function streamError(network: Network, digits: string, code: string): void {
  for (const connection of connectionsOf(network, digits)) network.end(connection, node('stream:error', { code }))
}

/** Makes every login of a number fail in this way from now on; null: it succeeds again. Ends its connections. */
export function refuse(network: Network, digits: string, refusal: Record<string, string> | null): void {
  network.accounts.get(digits).refusal = refusal
  if (refusal) for (const connection of connectionsOf(network, digits)) connection.close()
}

/** Cuts the connections of a number without a word. */
export function cut(network: Network, digits: string): void {
  for (const connection of connectionsOf(network, digits)) connection.cut()
}

function connectionsOf(network: Network, digits: string): Connection[] {
  return [...network.accounts.get(digits).devices.values()].flatMap(({ connection }) => connection ?? [])
}
