import { createHash } from 'node:crypto'

/** The bare id of a message on the network. The same keys give the same id, so a repeat is the same message. */
export function networkId(...keys: readonly string[]): string {
  return `3EB0${createHash('sha256').update(keys.join('\n')).digest('hex').slice(0, 18).toUpperCase()}`
}
