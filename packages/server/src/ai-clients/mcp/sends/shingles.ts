import { plainText } from '@msgctl/contract'

/**
 * Characters of the pieces whose hashes are compared, and how many of them in a row keep one: any run of 60 is found.
 */
const pieceLength = 45
const windowLength = 16
const [baseLow, baseHigh] = [0x01000193, 0x5bd1e995]

/** Returns a text as it is compared: plain, without case, signs and repeated spaces. */
function normalize(text: string): string {
  return plainText(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/**
 * Returns hashes of pieces of a text, chosen by winnowing: two texts that share a run of 60 characters
 * share a hash, and about one piece in nine is kept.
 */
export function shinglesOf(text: string): number[] {
  const plain = normalize(text)
  if (plain.length < pieceLength) return []
  return [...leastOfWindows(rollingHashes(plain))]
}

/** Returns the least hash of each window of 16. A window is read again only when the least one has left it. */
export function leastOfWindows(hashes: readonly number[]): Set<number> {
  const chosen = new Set<number>()
  const hashAt = (at: number) => hashes[at] ?? Number.POSITIVE_INFINITY
  let least = -1
  for (let from = 0; from < Math.max(1, hashes.length - windowLength + 1); from++) {
    const last = Math.min(from + windowLength, hashes.length) - 1
    if (least < from) {
      least = from
      for (let at = from + 1; at <= last; at++) if (hashAt(at) <= hashAt(least)) least = at
    } else if (hashAt(last) <= hashAt(least)) least = last
    else continue
    chosen.add(hashAt(least))
  }
  return chosen
}

/** Returns a hash of 52 bits for each piece, each from the one before. */
function rollingHashes(text: string): number[] {
  let [low, high, lowFirst, highFirst] = [0, 0, 1, 1]
  for (let n = 0; n < pieceLength - 1; n++) {
    lowFirst = Math.imul(lowFirst, baseLow)
    highFirst = Math.imul(highFirst, baseHigh)
  }
  const hashes: number[] = []
  for (let at = 0; at < text.length; at++) {
    if (at >= pieceLength) {
      const gone = text.charCodeAt(at - pieceLength)
      low = (low - Math.imul(gone, lowFirst)) | 0
      high = (high - Math.imul(gone, highFirst)) | 0
    }
    const code = text.charCodeAt(at)
    low = (Math.imul(low, baseLow) + code) | 0
    high = (Math.imul(high, baseHigh) + code) | 0
    if (at >= pieceLength - 1) hashes.push((high >>> 12) * 2 ** 32 + (low >>> 0))
  }
  return hashes
}
