// Whether two kinds of requests take the same time, judged by pairs: what else the machine does affects both of a pair alike.

const resamples = 2_000

/** The middle of some figures. */
function median(figures) {
  const sorted = [...figures].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Returns the median of some figures with the interval that holds it with 99 percent, by resampling. */
export function medianWithInterval(figures) {
  const medians = Array.from({ length: resamples }, () =>
    median(Array.from(figures, () => figures[Math.floor(Math.random() * figures.length)])),
  ).sort((a, b) => a - b)
  return {
    middle: median(figures),
    low: medians[Math.floor(resamples * 0.005)],
    high: medians[Math.ceil(resamples * 0.995) - 1],
  }
}

async function timed(request) {
  const began = performance.now()
  await request()
  return performance.now() - began
}

/**
 * Compares two kinds of requests, one of each after the other, in changing order. More pairs are made until the interval
 * of the ratio is narrower than `width`, at most `most`. Returns the medians in milliseconds and the ratio with its interval.
 */
export async function comparePairs({ known, unknown }, { least, most, width }) {
  const times = { known: [], unknown: [] }
  const ratios = []
  for (let pair = 0; pair < most; pair += 1) {
    const pairOf = { known: () => known(pair), unknown: () => unknown(pair) }
    const taken = {}
    for (const kind of pair % 2 === 0 ? ['known', 'unknown'] : ['unknown', 'known']) {
      taken[kind] = await timed(pairOf[kind])
    }
    times.known.push(taken.known)
    times.unknown.push(taken.unknown)
    ratios.push(Math.log(taken.known / taken.unknown))
    if (pair + 1 < least || (pair + 1) % 100 !== 0) continue
    const { low, high } = medianWithInterval(ratios)
    if (high - low < width) break
  }
  const { middle, low, high } = medianWithInterval(ratios)
  return {
    pairs: ratios.length,
    knownMs: median(times.known),
    unknownMs: median(times.unknown),
    ratio: Math.exp(middle),
    low: Math.exp(low),
    high: Math.exp(high),
  }
}
