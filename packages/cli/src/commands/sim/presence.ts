import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { controlSimulator } from './control.ts'

async function setPresence(context: Context, state: 'online' | 'offline', phone: string): Promise<void> {
  await context.print.record(await controlSimulator(context, 'POST', `/people/${encodeURIComponent(phone)}/${state}`), [
    { field: 'phone', title: 'Phone' },
    { field: 'online', title: 'Online' },
  ])
}

/** Adds `sim online` and `sim offline`. */
export function registerPresence(sim: Command, run: Run): void {
  for (const state of ['online', 'offline'] as const) {
    addVerb(
      sim,
      `${state} <phone>`,
      `turn a recipient's phone ${state === 'online' ? 'on' : 'off'}`,
      `msgctl sim ${state} +12025550120`,
    ).action(run((context: Context, phone: string) => setPresence(context, state, phone)))
  }
}
