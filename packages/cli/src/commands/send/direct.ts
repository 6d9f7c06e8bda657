import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { registerContact } from './contact.ts'
import type { Options } from './direct-call.ts'
import { registerFile } from './file.ts'
import { registerImage } from './image.ts'
import { registerLink } from './link.ts'
import { registerLocation } from './location.ts'
import { registerPoll } from './poll.ts'
import { registerVideo } from './video.ts'
import { registerVoice } from './voice.ts'

/** The options that a text and everything else have in common, by the names that commander gives them. */
const shared: readonly string[] = ['from', 'reference', 'idempotencyKey']

const registerVerbs = [
  registerImage,
  registerVideo,
  registerFile,
  registerVoice,
  registerContact,
  registerLocation,
  registerLink,
  registerPoll,
]

/** Commander gives these to `send` itself, wherever they are typed. Refuses those that are for a text alone. */
function toSendOptions(parent: Command): Options {
  const typed = parent.options.filter((option) => parent.getOptionValueSource(option.attributeName()) === 'cli')
  const stray = typed.find((option) => !shared.includes(option.attributeName()))
  if (stray) parent.error(`error: ${stray.long} is for a text only`)
  return Object.fromEntries(
    typed.map((option) => [option.attributeName(), parent.getOptionValue(option.attributeName())]),
  )
}

/** Adds the verbs of `send` for everything that leaves at once. */
export function registerDirect(parent: Command, run: Run): void {
  const runWithShared: Run =
    (verb) =>
    (...given) => {
      const [options, command] = given.slice(-2)
      run(verb)(...given.slice(0, -2), { ...(options as Options), ...toSendOptions(parent) }, command)
    }
  for (const register of registerVerbs) register(parent, runWithShared)
}
