import type { Command } from 'commander'
import { mediaFields } from '../../input/media.ts'
import type { Run } from '../../program.ts'
import { addSend, type Options, send } from './direct-call.ts'

/** Adds `send voice`. */
export function registerVoice(parent: Command, run: Run): void {
  addSend(
    parent,
    'voice <phone> <file>',
    'send audio, local or from a public link; OGG with Opus plays as a voice note',
    'msgctl send voice +12025550100 ./hello.ogg',
  ).action(
    run((context, phone: string, file: string, options: Options) =>
      send(context, phone, options, async (client, envelope, settings) => {
        const media = await mediaFields(context, client, 'audioUrl', file)
        return client.alert.sendVoice.withResponse({ ...media, ...envelope }, settings)
      }),
    ),
  )
}
