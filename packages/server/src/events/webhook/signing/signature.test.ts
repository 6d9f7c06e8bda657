import { sign } from '@msgctl/webhook-verifier'
import { describe, expect, it } from 'vitest'
import { signatureHeader } from './signature.ts'

const [one, other] = ['a', 'b'].map((digit) => `whsec_${digit.repeat(64)}`) as [string, string]

describe('the signature of a delivery', () => {
  it.each([
    ['plain text', '{"event":"message.read"}'],
    ['text of many bytes a character', '{"body":"zażółć 漢字 👩‍👩‍👧 \u2028"}'],
    ['half a surrogate pair', '{"body":"\ud83d"}'],
  ])('is the one that the verifier makes, of %s', async (_what, body) => {
    expect(signatureHeader(body, [one], 1_700_000_000)).toBe(await sign(body, one, 1_700_000_000))
    expect(signatureHeader(body, [one, other], 1_700_000_000)).toBe(await sign(body, [one, other], 1_700_000_000))
  })

  it.each(['not a secret', 'whsec_', `${one}0`])('is not made with %s', (secret) => {
    expect(() => signatureHeader('{}', [one, secret], 1_700_000_000)).toThrow('signing secret')
  })
})
