import { PublicFetchError } from './failure.ts'
import { judgeUrl } from './url.ts'

/** The URL of a text that may be fetched. Throws {@link PublicFetchError} refused. */
export function judgedUrl(text: string, allowPrivateTargets: readonly string[]): URL {
  const { url } = judgeUrl(text, allowPrivateTargets)
  if (!url) throw new PublicFetchError('refused')
  return url
}

/**
 * Where a redirect leads: judged like any other address, and never from https to http. Throws {@link PublicFetchError}
 * refused or redirects.
 */
export function redirectTarget(from: URL, location: string, allowPrivateTargets: readonly string[]): URL {
  if (!URL.canParse(location, from.href)) throw new PublicFetchError('redirects')
  const to = judgedUrl(new URL(location, from).href, allowPrivateTargets)
  if (from.protocol === 'https:' && to.protocol === 'http:') throw new PublicFetchError('redirects')
  return to
}
