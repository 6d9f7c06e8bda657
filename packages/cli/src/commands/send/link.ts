import type { Command } from 'commander'
import { mediaFields } from '../../input/media.ts'
import type { Run } from '../../program.ts'
import { addSend, type Options, send } from './direct-call.ts'

interface LinkOptions extends Options {
  readonly title?: string
  readonly description?: string
  readonly image?: string
}

/** Adds `send link`. */
export function registerLink(parent: Command, run: Run): void {
  addSend(
    parent,
    'link <phone> <url> [text]',
    'send a link with a preview',
    'msgctl send link +12025550100 https://example.com/menu "This week" --title "Our menu"',
  )
    .option('--title <text>', 'title of the preview')
    .option('--description <text>', 'description in the preview')
    .option('--image <file>', 'preview picture: a local file or a public link')
    .action(
      run((context, phone: string, url: string, message: string | undefined, options: LinkOptions) => {
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
      }),
    )
}
