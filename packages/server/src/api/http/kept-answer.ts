import { createHash } from 'node:crypto'

/** The text of an answer with its strong validator. */
export interface KeptAnswer {
  readonly text: string
  readonly etag: string
}

/**
 * Keeps the response of a public read, which is the same for every caller: it is validated and serialized again only
 * when the handler returns another object.
 */
export function keepAnswers(): (result: unknown, body: () => unknown) => KeptAnswer {
  let last: { readonly result: unknown; readonly answer: KeptAnswer } | undefined
  return (result, body) => {
    if (last && last.result === result) return last.answer
    const text = JSON.stringify(body())
    const answer = { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` }
    last = { result, answer }
    return answer
  }
}
