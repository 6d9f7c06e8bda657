import { readBody } from './body.ts'

/** The version that hosts claim to be without any other, and when it was the present one. */
export const releasedWebVersion = { version: '2.3000.1043857760', at: new Date('2026-07-25T00:00:00Z') } as const

/** The file of the network's own client that names its revision. */
export const webVersionUrl = 'https://web.whatsapp.com/sw.js'

/** A version of the network's own client: `2.3000.` and its revision. */
export const webVersionForm = /^2\.3000\.\d{1,12}$/

/** Without these headers the network responds with a page for people. */
const headers = {
  'sec-fetch-site': 'none',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
}
const fetchMs = 15_000
const mostBytes = 4 * 1024 * 1024

/** Thrown when the present version could not be fetched. Its message names no address. */
export class WebVersionError extends Error {
  override readonly name = 'WebVersionError'
}

/**
 * Fetches the present version of the network's own client, directly and through no proxy. It reads 4 MiB at most, for
 * 15 s at most, and follows no redirect. Throws {@link WebVersionError}.
 */
export async function fetchWebVersion(url: string, timeoutMs = fetchMs): Promise<string> {
  const revision = /"client_revision\\?":\s{0,9}(\d{1,12})\b/.exec(await fetchText(url, timeoutMs))?.[1]
  if (revision === undefined) throw new WebVersionError('the network named no version')
  return `2.3000.${revision}`
}

/** Returns whether a version is newer than another one. */
export function isNewerVersion(version: string, than: string): boolean {
  return revisionOf(version) > revisionOf(than)
}

async function fetchText(url: string, timeoutMs: number): Promise<string> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), timeoutMs)
  try {
    const response = await fetch(url, { headers, redirect: 'error', signal: limit.signal })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new WebVersionError(`the network responded with ${response.status}`)
    }
    const tooLong = () => new WebVersionError('the response of the network is too long')
    return (await readBody(response, { signal: limit.signal, maxBytes: mostBytes, tooLong })).toString('utf8')
  } catch (error) {
    if (error instanceof WebVersionError) throw error
    const { aborted: isLate } = limit.signal
    throw new WebVersionError(isLate ? 'the network did not respond in time' : 'the network cannot be reached')
  } finally {
    clearTimeout(timer)
  }
}

function revisionOf(version: string): number {
  return Number(version.split('.')[2] ?? 0)
}
