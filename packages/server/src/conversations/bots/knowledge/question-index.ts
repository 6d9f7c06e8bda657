import { limits } from '@msgctl/contract'
import { yielding } from '#platform/concurrency/yielding.ts'
import { featureLimit, featuresOf, isStem } from './features.ts'

/** A stored question with its stems. */
export interface IndexedQuestion {
  readonly answerId: string
  readonly text: string
  readonly stems: readonly string[]
}

/** A stored answer with its nearness to a question, from 0 to 1. */
export interface Ranked {
  readonly answerId: string
  /** The nearest of its questions. */
  readonly question: string
  readonly score: number
}

/** An index of the questions of one assistant in one language. */
export interface QuestionIndex {
  /** What it takes in memory, about. */
  readonly bytes: number
  /** Returns the nearest answers, the best first, at most `limit`. */
  rank(text: string, stems: readonly string[], limit: number): Ranked[]
}

/** A stem says more than a piece of a word, of which a word has many. */
const stemWeight = 2.5

/**
 * Questions have places from 0 on. An entry is a feature at a place as one number, in which the feature stands above
 * the place: sorted, all places of a feature stand in a row. Such numbers are exact up to 2^53.
 */
const places = 2 ** 53 / featureLimit

const bucketCount = 256
/** How many entries are read between two pauses. */
const sliceLength = 4096

/** What a question takes in memory beside its text and its entries. */
const bytesPerQuestion = 128

/**
 * Builds an index. A question is a vector of its features, weighted by their rarity; the centre of an answer is the
 * mean of its questions. The score of an answer is the mean of its nearest question and its centre, each as the cosine
 * of an angle. `pause` is called between short steps, so that others can run.
 */
export async function buildIndex(questions: readonly IndexedQuestion[], pause = yielding()): Promise<QuestionIndex> {
  if (questions.length > places) throw new Error(`an index has at most ${places} questions`)
  const answerIds = [...new Set(questions.map(({ answerId }) => answerId))]
  const answerOf = new Map(answerIds.map((answerId, at) => [answerId, at]))
  const known: Known = {
    entries: await sortedEntries(questions, pause),
    texts: questions.map(({ text }) => text),
    answers: Uint16Array.from(questions, ({ answerId }) => answerOf.get(answerId) ?? 0),
    answerIds,
  }
  const lengths = await questionLengths(known, pause)
  const centres = await centreLengths(known, lengths, pause)
  const characters = known.texts.reduce((sum, { length }) => sum + length, 0)
  return {
    bytes: known.entries.byteLength + 2 * characters + bytesPerQuestion * questions.length,
    rank(text, stems, limit) {
      const { products, length } = multiply(known, featuresOf(text, stems, limits.bots.asked))
      const nearest = products.map((product, place) => product / (lengths[place] ?? 1))
      return length === 0 ? [] : bestOf(known, nearest, centres, length).slice(0, limit)
    },
  }
}

/** The questions of an index, by their places, and the answers that they belong to. */
interface Known {
  readonly entries: Float64Array
  readonly texts: readonly string[]
  readonly answers: Uint16Array
  readonly answerIds: readonly string[]
}

/**
 * Returns the features of all questions with their places, each once, in order. They are sorted in buckets, because
 * sorting all of them is one long step.
 */
async function sortedEntries(questions: readonly IndexedQuestion[], pause: Pause): Promise<Float64Array> {
  const buckets = Array.from({ length: bucketCount }, (): number[] => [])
  let total = 0
  for (const [place, { text, stems }] of questions.entries()) {
    for (const feature of featuresOf(text, stems)) {
      buckets[Math.floor(feature / (featureLimit / bucketCount))]?.push(feature * places + place)
      total += 1
    }
    await pause()
  }
  const sorted = new Float64Array(total)
  let length = 0
  for (const bucket of buckets) {
    for (const entry of Float64Array.from(bucket).sort()) if (entry !== sorted[length - 1]) sorted[length++] = entry
    await pause()
  }
  return sorted.slice(0, length)
}

type Pause = () => Promise<void>

/** Calls `visit` with each feature, and with the entries that have it. */
async function forEachFeature(
  entries: Float64Array,
  pause: Pause,
  visit: (feature: number, from: number, to: number) => void,
): Promise<void> {
  let paused = 0
  for (let from = 0; from < entries.length; ) {
    const feature = Math.floor((entries[from] ?? 0) / places)
    let to = from + 1
    while (to < entries.length && (entries[to] ?? 0) < (feature + 1) * places) to += 1
    visit(feature, from, to)
    from = to
    if (to - paused < sliceLength) continue
    paused = to
    await pause()
  }
}

/** Returns the rarity of a feature that `count` questions have. */
function rarityOf(feature: number, count: number, { texts }: Known): number {
  return (Math.log((1 + texts.length) / (0.5 + count)) + 0.1) * (isStem(feature) ? stemWeight : 1)
}

/** Returns the lengths of the vectors of all questions. */
async function questionLengths(known: Known, pause: Pause): Promise<Float64Array> {
  const squares = new Float64Array(known.texts.length)
  await forEachFeature(known.entries, pause, (feature, from, to) => {
    const square = rarityOf(feature, to - from, known) ** 2
    for (let at = from; at < to; at++) add(squares, placeAt(known, at), square)
  })
  return squares.map((square) => Math.sqrt(square) || 1)
}

/** Returns the lengths of the sums of the vectors of each answer, whose questions count the same. */
async function centreLengths(known: Known, lengths: Float64Array, pause: Pause): Promise<Float64Array> {
  const squares = new Float64Array(known.answerIds.length)
  const sums = new Float64Array(known.answerIds.length)
  await forEachFeature(known.entries, pause, (feature, from, to) => {
    const rarity = rarityOf(feature, to - from, known)
    for (let at = from; at < to; at++) {
      const place = placeAt(known, at)
      add(sums, known.answers[place] ?? 0, rarity / (lengths[place] ?? 1))
    }
    for (let at = from; at < to; at++) {
      const answer = known.answers[placeAt(known, at)] ?? 0
      add(squares, answer, (sums[answer] ?? 0) ** 2)
      sums[answer] = 0
    }
  })
  return squares.map((square) => Math.sqrt(square) || 1)
}

function add(numbers: Float64Array, at: number, more: number): void {
  numbers[at] = (numbers[at] ?? 0) + more
}

function placeAt({ entries }: Known, at: number): number {
  return (entries[at] ?? 0) % places
}

/** Returns the products of a vector with those of all questions, which have their own lengths still, and its length. */
function multiply(known: Known, features: readonly number[]): { products: Float64Array; length: number } {
  const { entries } = known
  const products = new Float64Array(known.texts.length)
  let square = 0
  for (const feature of new Set(features)) {
    const from = firstFrom(entries, feature * places)
    const to = firstFrom(entries, (feature + 1) * places)
    const weight = rarityOf(feature, to - from, known) ** 2
    square += weight
    for (let at = from; at < to; at++) add(products, placeAt(known, at), weight)
  }
  return { products, length: Math.sqrt(square) }
}

/** Returns the place of the first entry that is not below `least`. */
function firstFrom(entries: Float64Array, least: number): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns all answers with a score, the best first. */
function bestOf(known: Known, nearest: Float64Array, centres: Float64Array, length: number): Ranked[] {
  const { answerIds, answers, texts } = known
  const best = new Int32Array(answerIds.length).fill(-1)
  const sums = new Float64Array(answerIds.length)
  for (const [place, answer] of answers.entries()) {
    const before = best[answer] ?? -1
    if (before === -1 || (nearest[place] ?? 0) > (nearest[before] ?? 0)) best[answer] = place
    add(sums, answer, nearest[place] ?? 0)
  }
  return answerIds
    .map((answerId, answer) => {
      const place = best[answer] ?? 0
      const score = ((nearest[place] ?? 0) + (sums[answer] ?? 0) / (centres[answer] ?? 1)) / 2 / length
      return { answerId, question: texts[place] ?? '', score: Math.min(1, score) }
    })
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score)
}
