import type { Command } from 'commander'
import { type Run, verbs } from '../../program.ts'
import { contactVerb } from './contact.ts'
import type { Options } from './direct-call.ts'
import { linkVerb } from './link.ts'
import { locationVerb } from './location.ts'
import { mediaVerbs } from './media.ts'
import { pollVerb } from './poll.ts'

/** The options that text and direct messages share, by commander's names. */
const sharedOptions: readonly string[] = ['from', 'reference', 'idempotencyKey', 'wait', 'timeout']

const directVerbs = verbs(mediaVerbs, contactVerb, locationVerb, linkVerb, pollVerb)

/** Returns the options that commander assigned to `send` itself. Rejects those that only a text supports. */
function toSendOptions(parent: Command): Partial<Options> {
  const typed = parent.options.filter((option) => parent.getOptionValueSource(option.attributeName()) === 'cli')
  const unsupported = typed.find((option) => !sharedOptions.includes(option.attributeName()))
  if (unsupported) parent.error(`error: ${unsupported.long} is supported for texts only`)
  return Object.fromEntries(
    typed.map((option) => [option.attributeName(), parent.getOptionValue(option.attributeName())]),
  )
}

/** Adds the verbs of `send` for messages that are sent directly, without the queue. */
export function addDirectVerbs(parent: Command, run: Run): void {
  const runWithShared: Run =
    (verb) =>
    (...given) => {
      const [options, command] = given.slice(-2)
      run(verb)(...given.slice(0, -2), { ...(options as Options), ...toSendOptions(parent) }, command)
    }
  directVerbs(parent, runWithShared)
}
