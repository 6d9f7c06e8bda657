import { describe, expect, it } from 'vitest'
import { anySecretMatches } from './secrets.ts'
import { body, nowMs, otherSecret, reasonOf, secret, signedHeaders } from './test/signed-delivery.ts'
import { verify } from './verify.ts'

/** A secret store that counts how often it is asked, with a clock to move. */
function storeOf(answer: string | readonly string[]) {
  const store = {
    answer: answer as string | readonly string[] | Error,
    asked: 0,
    atMs: nowMs,
    source: async () => {
      store.asked++
      if (store.answer instanceof Error) throw store.answer
      return store.answer
    },
    async receive(signedWith: string) {
      const headers = await signedHeaders({ secret: signedWith })
      const options = { now: () => store.atMs, toleranceSeconds: 100_000 }
      return reasonOf(verify(body, headers, store.source, options))
    },
  }
  return store
}

describe('a function for the secret', () => {
  it('is called once and cached', async () => {
    const store = storeOf(secret)
    for (let round = 0; round < 5; round++) expect(await store.receive(secret)).toBe('accepted')
    expect(store.asked).toBe(1)
  })

  it('may return several secrets, and may return without a promise', async () => {
    const store = storeOf([otherSecret, secret])
    expect(await store.receive(secret)).toBe('accepted')
    expect(await store.receive(otherSecret)).toBe('accepted')
    const options = { now: () => nowMs }
    expect(await reasonOf(verify(body, await signedHeaders(), () => secret, options))).toBe('accepted')
  })

  it('is called again once when nothing matches, so that a rotated secret is found at once', async () => {
    const store = storeOf(secret)
    await store.receive(secret)
    store.answer = otherSecret
    expect(await store.receive(otherSecret)).toBe('accepted')
    expect(store.asked).toBe(2)
    expect(await store.receive(secret)).toBe('no_matching_signature')
  })

  it('is called again at most once a minute for any number of forgeries', async () => {
    const store = storeOf(secret)
    const forge = () => store.receive(otherSecret)
    for (let round = 0; round < 20; round++) expect(await forge()).toBe('no_matching_signature')
    expect(store.asked).toBe(2)
    store.atMs += 59_999
    await forge()
    expect(store.asked).toBe(2)
    store.atMs += 1
    await forge()
    await forge()
    expect(store.asked).toBe(3)
    expect(await store.receive(secret)).toBe('accepted')
  })

  it('is called once for concurrent deliveries, and all of them get its result', async () => {
    const answers: ((secrets: string) => void)[] = []
    const source = () => new Promise<string>((resolve) => answers.push(resolve))
    /** Without any hashing between, every step but the source's answer is done after one turn of the event loop. */
    const ask = (wanted: string) =>
      anySecretMatches(source, undefined, nowMs, async (secrets) => secrets.includes(wanted))
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    const first = Promise.all([ask(secret), ask(secret), ask(secret)])
    await turn()
    expect(answers.length).toBe(1)
    answers[0]?.(secret)
    expect(await first).toEqual([true, true, true])
    const rotated = Promise.all([ask(otherSecret), ask(otherSecret), ask(otherSecret)])
    await turn()
    expect(answers.length).toBe(2)
    expect(await ask(secret)).toBe(true)
    answers[1]?.(otherSecret)
    expect(await rotated).toEqual([true, true, true])
  })

  it('is called again after ten minutes, so that a revoked secret expires', async () => {
    const store = storeOf(secret)
    await store.receive(secret)
    store.answer = otherSecret
    store.atMs += 599_999
    expect(await store.receive(secret)).toBe('accepted')
    store.atMs += 1
    expect(await store.receive(secret)).toBe('no_matching_signature')
    expect(await store.receive(otherSecret)).toBe('accepted')
  })

  it('may fail once secrets are known: they stay in use, and it is called again after a minute', async () => {
    const store = storeOf(secret)
    await store.receive(secret)
    store.answer = new Error('the store is down')
    store.atMs += 600_000
    expect(await store.receive(secret)).toBe('accepted')
    expect(await store.receive(otherSecret)).toBe('no_matching_signature')
    expect(store.asked).toBe(3)
    store.answer = otherSecret
    store.atMs += 60_000
    expect(await store.receive(otherSecret)).toBe('accepted')
  })

  it('passes its first failure on and is called again for the next delivery', async () => {
    const store = storeOf(secret)
    store.answer = new Error('the store is down')
    await expect(store.receive(secret)).rejects.toThrow('the store is down')
    store.answer = secret
    expect(await store.receive(secret)).toBe('accepted')
  })

  it('passes on what it throws without a promise, and recovers', async () => {
    let broken = true
    const source = () => {
      if (broken) throw new Error('not configured')
      return secret
    }
    const receive = async () => verify(body, await signedHeaders(), source, { now: () => nowMs })
    await expect(receive()).rejects.toThrow('not configured')
    broken = false
    expect((await receive()).event).toBe('message.failed')
  })

  it('is refused when it returns a malformed secret', async () => {
    const store = storeOf('whsec_short')
    expect(await store.receive(secret)).toBe('malformed_secret')
  })

  it('is still called when the clock was set back', async () => {
    const store = storeOf(secret)
    await store.receive(otherSecret)
    store.answer = otherSecret
    store.atMs -= 3_600_000
    expect(await store.receive(otherSecret)).toBe('accepted')
  })

  it('is not called for a request that is refused before its secret matters', async () => {
    const store = storeOf(secret)
    const junk = { 'x-service-signature': 't=1,v1=junk' }
    await reasonOf(verify(body, junk, store.source, { now: () => nowMs }))
    await reasonOf(verify(body, await signedHeaders(), store.source, { now: () => nowMs + 301_000 }))
    expect(store.asked).toBe(0)
  })
})
