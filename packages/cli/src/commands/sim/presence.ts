import type { Context } from '../../context.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
import { controlSimulator } from './control.ts'

async function setPresence(context: Context, state: 'online' | 'offline', phone: string): Promise<void> {
  await context.print.record(
    await controlSimulator(context, 'POST', `/people/${encodeURIComponent(phone)}/${state}`),
    defineColumns('phone, online'),
  )
}

const presenceVerb = (state: 'online' | 'offline') =>
  verb(
    `${state} <phone>`,
    `turn a recipient's phone ${state === 'online' ? 'on' : 'off'}`,
    (context: Context, phone: string) => setPresence(context, state, phone),
    [`msgctl sim ${state} +12025550120`],
  )

/** `sim online` and `sim offline`. */
export const presenceVerbs = verbs(presenceVerb('online'), presenceVerb('offline'))
