import type { CheckResult } from '@msgctl/network/gateway'
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren, jidNormalizedUser, type WASocket } from 'baileys'
import { addressOf } from '../../translate/person.ts'
import { ConnectionLost, NoResponse, Refused } from '../failures.ts'
import { stanza as node } from './stanzas.ts'

const [timedOut, connectionClosed] = [408, 428]

/** Waits for a call of the library, and throws our failures instead of its own. */
export async function withFailures<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Refused || error instanceof ConnectionLost || error instanceof NoResponse) throw error
    const { data, output } = error as { data?: unknown; output?: { statusCode?: number } }
    const code = Number(data ?? output?.statusCode)
    if (code === timedOut) throw new NoResponse()
    if (code === connectionClosed || Number.isNaN(code)) throw new ConnectionLost()
    throw new Refused(code)
  }
}

/**
 * Queries which numbers are on the network, with their hidden ids. A number that is missing in the result could not be
 * checked. The address in the result is the one to send to: in some countries it differs by a digit.
 */
export async function checkNumbers(socket: WASocket, digits: readonly string[]): Promise<Map<string, CheckResult>> {
  const users = digits.map((one) => node('user', {}, [node('contact', {}, `+${one}`)]))
  const parts = [node('contact', {}), node('lid', {})]
  const attrs = { context: 'interactive', mode: 'query', sid: socket.generateMessageTag(), last: 'true', index: '0' }
  const query = node('usync', attrs, [node('query', {}, parts), node('list', {}, users)])
  const iq = node('iq', { to: 's.whatsapp.net', type: 'get', xmlns: 'usync', id: socket.generateMessageTag() }, [query])
  const response = (await withFailures(socket.query(iq))) as BinaryNode | undefined
  if (!response) throw new NoResponse()
  const list = getBinaryNodeChild(getBinaryNodeChild(response, 'usync'), 'list')
  return new Map(getBinaryNodeChildren(list, 'user').flatMap(toResult))
}

function toResult(user: BinaryNode): [string, CheckResult][] {
  const contact = getBinaryNodeChild(user, 'contact')
  const { content } = contact ?? {}
  const digits = typeof content === 'string' || content instanceof Uint8Array ? Buffer.from(content).toString() : ''
  if (!contact?.attrs.type || digits === '') return []
  if (contact.attrs.type !== 'in') return [[digits.replace(/\D/g, ''), { exists: false }]]
  const lid = getBinaryNodeChild(user, 'lid')?.attrs.val
  const address = addressOf(user.attrs.jid ?? '')
  return [[digits.replace(/\D/g, ''), { exists: true, address, ...(lid ? { lid: jidNormalizedUser(lid) } : {}) }]]
}
