import type { SessionState } from './gateway.ts'

const longestId = 255
const longestName = 255
const longestReason = 1000
const longestText = 65_536

/** What the network sends is a stranger's: Postgres refuses NUL and halves of surrogate pairs, and nothing is endless. */
function storable(text: string, longest: number): string {
  const whole = text.slice(0, longest + 1).replaceAll(/[\0\p{Surrogate}]/gu, '\ufffd')
  return whole.length > longest ? whole.slice(0, longest).replace(/\p{Surrogate}$/u, '') : whole
}

/** An id of the network: of a person, a message or a group. */
export function cleanId(id: string): string {
  return storable(id, longestId)
}

/** A name as a person shows it or somebody saved it; spaces around it are no part of it. */
export function cleanName(name: string): string {
  return storable(name, longestName).trim()
}

/** What the network says of a failure. */
export function cleanReason(reason: string): string {
  return storable(reason, longestReason)
}

/** The text of a message. */
export function cleanText(text: string): string {
  return storable(text, longestText)
}

/** A state of a number as the network tells it. */
export function cleanState<S extends Pick<SessionState, 'me' | 'reason'>>(state: S): S {
  const { me, reason } = state
  return {
    ...state,
    me: me && { id: cleanId(me.id), digits: cleanId(me.digits), pushName: cleanName(me.pushName) },
    ...(reason !== undefined && { reason: cleanId(reason) }),
  }
}
