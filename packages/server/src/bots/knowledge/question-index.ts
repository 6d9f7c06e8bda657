import { featuresOf } from './features.ts'

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
  readonly size: number
  /** Returns the nearest answers, the best first, at most `limit`. */
  rank(text: string, stems: readonly string[], limit: number): Ranked[]
}

/** What one feature says about each place that has it: places and weights in two lists of one length. */
interface Postings {
  readonly rarity: number
  readonly places: number[]
  readonly weights: number[]
  readonly answers: number[]
  readonly answerWeights: number[]
}

/** A stem says more than a piece of a word, of which a word has many. */
const stemWeight = 2.5

/**
 * Builds an index. A question is a vector of its features, weighted by their rarity; the centre of an answer is the mean of its
 * questions. The score of an answer is the mean of its nearest question and its centre, each as the cosine of an angle.
 */
export function buildIndex(questions: readonly IndexedQuestion[]): QuestionIndex {
  const features = questions.map(({ text, stems }) => featuresOf(text, stems))
  const answerIds = [...new Set(questions.map(({ answerId }) => answerId))]
  const answerOf = new Map(answerIds.map((answerId, at) => [answerId, at]))
  const answers = questions.map(({ answerId }) => answerOf.get(answerId) ?? 0)
  const counts = new Map<string, number>()
  for (const set of features) for (const feature of set) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  const rarityOf = (count: number) => Math.log((1 + questions.length) / (0.5 + count)) + 0.1
  const unknownRarity = rarityOf(0)
  const postings = new Map<string, Postings>()
  for (const [feature, count] of counts) {
    const rarity = rarityOf(count) * scaleOf(feature)
    postings.set(feature, { rarity, places: [], weights: [], answers: [], answerWeights: [] })
  }
  fillQuestions(features, postings)
  fillCentres(features, answers, answerIds.length, postings)

  return {
    size: questions.length,
    rank(text, stems, limit) {
      const nearest = new Float64Array(questions.length)
      const centres = new Float64Array(answerIds.length)
      let square = 0
      for (const feature of featuresOf(text, stems)) {
        const found = postings.get(feature)
        const weight = found?.rarity ?? unknownRarity * scaleOf(feature)
        square += weight * weight
        if (found) addFeature(found, weight, nearest, centres)
      }
      return bestOf({ questions, answers, nearest, centres, answerIds }, Math.sqrt(square), limit)
    },
  }
}

function scaleOf(feature: string): number {
  return feature.startsWith('=') ? stemWeight : 1
}

function fillQuestions(features: readonly ReadonlySet<string>[], postings: ReadonlyMap<string, Postings>): void {
  for (const [place, set] of features.entries()) {
    const length = lengthOf(set, postings)
    for (const feature of set) {
      const found = postings.get(feature)
      found?.places.push(place)
      found?.weights.push(found.rarity / length)
    }
  }
}

function lengthOf(set: ReadonlySet<string>, postings: ReadonlyMap<string, Postings>): number {
  let square = 0
  for (const feature of set) square += (postings.get(feature)?.rarity ?? 0) ** 2
  return Math.sqrt(square) || 1
}

/** Stores the centre of each answer: the sum of the vectors of its questions, as long as one. */
function fillCentres(
  features: readonly ReadonlySet<string>[],
  answers: readonly number[],
  count: number,
  postings: ReadonlyMap<string, Postings>,
): void {
  const sums = Array.from({ length: count }, () => new Map<string, number>())
  for (const [place, set] of features.entries()) {
    const sum = sums[answers[place] ?? 0]
    const length = lengthOf(set, postings)
    for (const feature of set) {
      const weight = (postings.get(feature)?.rarity ?? 0) / length
      sum?.set(feature, (sum.get(feature) ?? 0) + weight)
    }
  }
  for (const [answer, sum] of sums.entries()) {
    const length = Math.sqrt([...sum.values()].reduce((square, weight) => square + weight * weight, 0)) || 1
    for (const [feature, weight] of sum) {
      postings.get(feature)?.answers.push(answer)
      postings.get(feature)?.answerWeights.push(weight / length)
    }
  }
}

function addFeature(found: Postings, weight: number, nearest: Float64Array, centres: Float64Array): void {
  const { places, weights, answers, answerWeights } = found
  for (let at = 0; at < places.length; at++) {
    const place = places[at] ?? 0
    nearest[place] = (nearest[place] ?? 0) + weight * (weights[at] ?? 0)
  }
  for (let at = 0; at < answers.length; at++) {
    const answer = answers[at] ?? 0
    centres[answer] = (centres[answer] ?? 0) + weight * (answerWeights[at] ?? 0)
  }
}

interface Sums {
  readonly questions: readonly IndexedQuestion[]
  readonly answers: readonly number[]
  readonly nearest: Float64Array
  readonly centres: Float64Array
  readonly answerIds: readonly string[]
}

function bestOf({ questions, answers, nearest, centres, answerIds }: Sums, length: number, limit: number): Ranked[] {
  if (length === 0) return []
  const best = new Int32Array(answerIds.length).fill(-1)
  for (const [place, answer] of answers.entries()) {
    const before = best[answer] ?? -1
    if (before === -1 || (nearest[place] ?? 0) > (nearest[before] ?? 0)) best[answer] = place
  }
  return answerIds
    .map((answerId, answer) => {
      const place = best[answer] ?? 0
      const score = ((nearest[place] ?? 0) + (centres[answer] ?? 0)) / 2 / length
      return { answerId, question: questions[place]?.text ?? '', score: Math.min(1, score) }
    })
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score)
    .slice(0, limit)
}
