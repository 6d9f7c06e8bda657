// Whether two kinds of requests take the same time, judged by pairs: what else the machine does affects both of a pair
// alike.

const resamples = 2_000

/** @typedef {(pair: number) => Promise<unknown>} PairedRequest A request of one kind, with the number of its pair. */

/** @typedef {Awaited<ReturnType<typeof comparePairs>>} Pairs */

/**
 * Returns the figure at an index that the list has.
 * @param {number[]} figures
 * @param {number} index
 */
const figureAt = (figures, index) => /** @type {number} */ (figures[index])

/**
 * The middle of some figures.
 * @param {number[]} figures
 */
function median(figures) {
  const sorted = [...figures].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = figureAt(sorted, middle)
  return sorted.length % 2 === 1 ? upper : (figureAt(sorted, middle - 1) + upper) / 2
}

/**
 * Returns the median of some figures with the interval that holds it with 99 percent, by resampling.
 * @param {number[]} figures
 */
export function medianWithInterval(figures) {
  const medians = Array.from({ length: resamples }, () =>
    median(Array.from(figures, () => figureAt(figures, Math.floor(Math.random() * figures.length)))),
  ).sort((a, b) => a - b)
  return {
    middle: median(figures),
    low: figureAt(medians, Math.floor(resamples * 0.005)),
    high: figureAt(medians, Math.ceil(resamples * 0.995) - 1),
  }
}

/** @param {() => Promise<unknown>} request */
async function timed(request) {
  const began = performance.now()
  await request()
  return performance.now() - began
}

/**
 * Compares two kinds of requests, one of each after the other, in changing order. More pairs are made until the
 * interval of the ratio is narrower than `width`, at most `most`. Returns the medians in milliseconds and the ratio
 * with its interval.
 * @param {{ known: PairedRequest, unknown: PairedRequest }} requests
 * @param {{ least: number, most: number, width: number }} bounds
 */
export async function comparePairs({ known, unknown }, { least, most, width }) {
  /** @type {{ known: number[], unknown: number[] }} */
  const times = { known: [], unknown: [] }
  /** @type {number[]} */
  const ratios = []
  for (let pair = 0; pair < most; pair += 1) {
    const pairOf = { known: () => known(pair), unknown: () => unknown(pair) }
    const taken = { known: 0, unknown: 0 }
    /** @type {(keyof typeof taken)[]} */
    const order = pair % 2 === 0 ? ['known', 'unknown'] : ['unknown', 'known']
    for (const kind of order) taken[kind] = await timed(pairOf[kind])
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
