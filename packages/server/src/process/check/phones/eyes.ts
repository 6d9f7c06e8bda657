import type { Finding } from '#process/check/finding.ts'

/** Asks a person a question; null without one. */
export type Ask = (question: string) => Promise<string | null>

/** What only a person at the phone of the peer sees. */
interface Sight {
  readonly name: string
  readonly question: string
  /** What is wrong when the person says no. */
  readonly otherwise: string
}

/** What a person sees after which step. */
export const sights = {
  kinds: {
    name: 'On the phone',
    question: 'Does the phone of the peer show the photo and the video with picture and size, and play the voice note?',
    otherwise: 'The phone shows a grey or square picture, or plays nothing: size, preview or length are missing.',
  },
  caption: {
    name: 'Caption kept',
    question: 'Does the photo still have its picture, with the new caption below it?',
    otherwise: 'The edit erased the caption or the picture. Update the gateway host or the WAHA server.',
  },
  ringing: {
    name: 'Ringing',
    question: 'Did the phone of the peer ring or show notifications while its app was closed?',
    otherwise: 'The account is shown as available all the time, so its phone stays silent.',
  },
} as const satisfies Readonly<Record<string, Sight>>

/** Asks a person what they see: yes is ok and no is failed. Anything else, and no terminal, is a note. */
export async function look(ask: Ask, { name, question, otherwise }: Sight): Promise<Finding> {
  const typed = (await ask(`${question} [y/n] `))?.trim().toLowerCase()
  if (typed === 'y' || typed === 'yes') return { name, outcome: 'ok', text: 'seen by a person' }
  if (typed === 'n' || typed === 'no') return { name, outcome: 'failed', text: otherwise }
  return { name, outcome: 'note', text: `Look yourself. ${question}` }
}
