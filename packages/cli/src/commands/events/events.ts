import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { registerList } from './list.ts'
import { registerReplay } from './replay.ts'
import { registerTail } from './tail.ts'

export function register(events: Command, run: Run): void {
  registerTail(events, run, 'tail', 'msgctl events tail')
  registerList(events, run)
  registerReplay(events, run, 'msgctl events replay')
}

/** Registers `msgctl tail events`, another name of `msgctl events tail`. */
export function registerTailNoun(noun: Command, run: Run): void {
  registerTail(noun, run, 'events', 'msgctl tail events')
}
