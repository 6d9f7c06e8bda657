import { mediaFields } from '../../input/media.ts'
import { type Options, send, sendVerb } from './direct-call.ts'

/** `send voice`. */
export const voiceVerb = sendVerb(
  'voice <phone> <file>',
  'send audio, local or from a public link; OGG with Opus plays as a voice note',
  (context, phone: string, file: string, options: Options) =>
    send(context, phone, options, async (client, envelope, settings) => {
      const media = await mediaFields(context, client, 'audioUrl', file)
      return client.alert.sendVoice.withResponse({ ...media, ...envelope }, settings)
    }),
  ['msgctl send voice +12025550100 ./hello.ogg'],
)
