import { limits, numberReasons } from '@msgctl/contract'
import type { Json, LinkStep, SessionState } from '@msgctl/network/gateway'

const longestId = 255
const longestName = 255
const longestReason = 1000
const longestJson = 16_384
const longestCode = 32

/** Returns untrusted text in a form that Postgres stores: no NUL, no lone surrogates, and a limited length. */
function storable(text: string, longest: number): string {
  const whole = text.slice(0, longest + 1).replaceAll(/[\0\p{Surrogate}]/gu, '\ufffd')
  return whole.length > longest ? whole.slice(0, longest).replace(/\p{Surrogate}$/u, '') : whole
}

/** Cleans an id of the network: of a person, a message or a group. */
export function cleanId(id: string): string {
  return storable(id, longestId)
}

/** Cleans a name of a profile or an address book, without spaces around it. */
export function cleanName(name: string): string {
  return storable(name, longestName).trim()
}

/** Cleans the network's reason of a failure. */
export function cleanReason(reason: string): string {
  return storable(reason, longestReason)
}

/** Cleans the text of a message. One that is longer than messages of the network ends with `…` where it was cut. */
export function cleanText(text: string): string {
  return text.length > limits.message ? `${storable(text, limits.message - 1)}…` : storable(text, limits.message)
}

/** Returns JSON of a driver if Postgres can store it and it is not too long, else null. */
export function cleanJson(json: Json): Json {
  const text = JSON.stringify(json)
  return text.length > longestJson || /\\u0000|\\ud[89a-f]/i.test(text) ? null : json
}

/** Cleans a state of a number that the network reported. A word that is no known reason counts as `unknown`. */
export function cleanState<S extends Pick<SessionState, 'me' | 'link'> & { readonly reason?: string }>(state: S): S {
  const { me, reason, link } = state
  return {
    ...state,
    me: me && { id: cleanId(me.id), digits: cleanId(me.digits), pushName: cleanName(me.pushName) },
    ...(reason !== undefined && { reason: knownReasons.has(reason) ? reason : 'unknown' }),
    ...(link !== undefined && { link: cleanLink(link) }),
  }
}

const knownReasons: ReadonlySet<string> = new Set(numberReasons)

function cleanLink(link: LinkStep): LinkStep {
  return link.step === 'passkey'
    ? { step: 'passkey', challenge: cleanJson(link.challenge) }
    : { step: 'confirm', code: storable(link.code, longestCode) }
}
