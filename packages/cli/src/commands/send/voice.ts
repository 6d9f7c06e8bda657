import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { addSend, type Options, send } from './direct-call.ts'

/** Adds `send voice`. */
export function registerVoice(parent: Command, run: Run): void {
  addSend(
    parent,
    'voice <phone> <url>',
    'send audio from a public URL; OGG with Opus plays as a voice note',
    'msgctl send voice +12025550100 https://example.com/hello.ogg',
  ).action(
    run((context, phone: string, audioUrl: string, options: Options) =>
      send(context, phone, options, (client, envelope, settings) =>
        client.alert.sendVoice.withResponse({ audioUrl, ...envelope }, settings),
      ),
    ),
  )
}
