import { GatewayError } from '@msgctl/network/errors'
import type { CheckResult } from '@msgctl/network/gateway'
import {
  type BinaryNode,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  isJidGroup,
  isLidUser,
  jidDecode,
  type WASocket,
} from 'baileys'
import { ConnectionLost, NoResponse, Refused } from '../failures.ts'
import { resultsOf } from './check-results.ts'
import type { HiddenIds } from './devices/hidden-ids.ts'
import { stanza as node } from './stanzas.ts'

const [timedOut, connectionClosed] = [408, 428]

/** Waits for a call of the library, and throws our failures instead of its own. */
export async function withFailures<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof GatewayError) throw error
    if (error instanceof Refused || error instanceof ConnectionLost || error instanceof NoResponse) throw error
    const { data, output } = error as { data?: unknown; output?: { statusCode?: number } }
    // An error of the network has its code as data, one of the library a stack.
    const code = Number(typeof data === 'object' ? output?.statusCode : (data ?? output?.statusCode))
    if (code === timedOut) throw new NoResponse()
    if (code === connectionClosed || Number.isNaN(code)) throw new ConnectionLost()
    throw new Refused(code)
  }
}

/**
 * Queries which numbers are on the network, with their hidden ids. A number that is missing in the result could not be
 * checked. The address in the result is the one to send to: in some countries it differs by a digit.
 */
export async function checkNumbers(
  socket: WASocket,
  digits: readonly string[],
  timeoutMs?: number,
): Promise<Map<string, CheckResult>> {
  const users = digits.map((one) => node('user', {}, [node('contact', {}, `+${one}`)]))
  // Asked in this way, the network describes people by their hidden ids. Those of moved accounts have nothing else.
  const parts = [node('contact', { addressing_mode: 'lid' }), node('lid', {})]
  const attrs = { context: 'interactive', mode: 'query', sid: socket.generateMessageTag(), last: 'true', index: '0' }
  const query = node('usync', attrs, [node('query', {}, parts), node('list', {}, users)])
  const iq = node('iq', { to: 's.whatsapp.net', type: 'get', xmlns: 'usync', id: socket.generateMessageTag() }, [query])
  const response = (await withFailures(socket.query(iq, timeoutMs))) as BinaryNode | undefined
  if (!response) throw new NoResponse()
  const list = getBinaryNodeChild(getBinaryNodeChild(response, 'usync'), 'list')
  return resultsOf(getBinaryNodeChildren(list, 'user'), digits)
}

/**
 * Returns whether the network knows a person. One whose hidden id is known exists. Throws {@link NoResponse} when the
 * network stays silent. Only a clear no is one.
 */
export async function isKnown(hiddenIds: Pick<HiddenIds, 'find'>, jid: string, timeoutMs: number): Promise<boolean> {
  if (isJidGroup(jid) || isLidUser(jid)) return true
  return (await hiddenIds.find(jidDecode(jid)?.user ?? '', timeoutMs)).exists
}
