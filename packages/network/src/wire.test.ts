import { expect, it } from 'vitest'
import { readCallHeaders, signatureHeader, timeHeader } from './wire.ts'

const nowMs = 1_790_812_800_000
const signature = 'a1'.repeat(32)

it.each([nowMs, nowMs + 0.125, nowMs - 60_000, nowMs + 60_000])('a call at %d may be read', (time) => {
  const headers = { [timeHeader]: String(time), [signatureHeader]: signature }
  expect(readCallHeaders(headers, nowMs)).toEqual({ timeMs: time, signature })
})

type Header = string | string[] | undefined

it.each<[string, Header, Header]>([
  ['no time', undefined, signature],
  ['an old time', String(nowMs - 60_001), signature],
  ['a time ahead', String(nowMs + 60_001), signature],
  ['a time with a sign', `+${nowMs}`, signature],
  ['a time of another form', '1.7908128e12', signature],
  ['two times', [String(nowMs), String(nowMs)], signature],
  ['no signature', String(nowMs), undefined],
  ['a short signature', String(nowMs), 'a1'],
  ['a long signature', String(nowMs), `${signature}a1`],
  ['a signature in capital letters', String(nowMs), signature.toUpperCase()],
  ['two signatures', String(nowMs), [signature, signature]],
])('a call with %s is not read', (_, time, given) => {
  expect(readCallHeaders({ [timeHeader]: time, [signatureHeader]: given }, nowMs)).toBeNull()
})
