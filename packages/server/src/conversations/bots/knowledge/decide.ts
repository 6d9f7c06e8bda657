import type { Ranked } from './question-index.ts'

/** What the ranking says about a question. */
export type Decision =
  | { readonly kind: 'answer'; readonly best: Ranked }
  | { readonly kind: 'choose'; readonly options: readonly Ranked[] }
  | { readonly kind: 'unknown' }

/** From this score on an answer is given, if it leads the next one by {@link leadScore}. */
const answerScore = 0.4
const leadScore = 0.05
/** From this score on an answer is offered as a choice. */
const choiceScore = 0.25
const maxChoices = 3

/** Returns whether to answer, to offer choices, or to say that the answer is unknown. `ranked` has the best first. */
export function decide(ranked: readonly Ranked[]): Decision {
  const [best, second] = ranked
  if (!best || best.score < choiceScore) return { kind: 'unknown' }
  if (best.score >= answerScore && best.score - (second?.score ?? 0) >= leadScore) return { kind: 'answer', best }
  return { kind: 'choose', options: ranked.filter(({ score }) => score >= choiceScore).slice(0, maxChoices) }
}
