import { mediaFields } from '../../input/media.ts'
import { type Options, send, sendVerb } from './direct-call.ts'

interface LinkOptions extends Options {
  readonly title?: string
  readonly description?: string
  readonly image?: string
}

/** `send link`. */
export const linkVerb = sendVerb(
  'link <phone> <url> [text]',
  'send a link with a preview',
  (context, phone: string, url: string, message: string | undefined, options: LinkOptions) => {
    const { title, description, image } = options
    const input = {
      url,
      ...(message !== undefined && { message }),
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
    }
    return send(context, phone, options, async (client, envelope, settings) => {
      const picture = image === undefined ? {} : await mediaFields(context, client, 'imageUrl', image)
      return client.alert.sendLink.withResponse({ ...input, ...picture, ...envelope }, settings)
    })
  },
  ['msgctl send link +12025550100 https://example.com/menu "This week" --title "Our menu"'],
  (command) =>
    command
      .option('--title <text>', 'title of the preview')
      .option('--description <text>', 'description in the preview')
      .option('--image <file>', 'preview picture: a local file or a public link'),
)
