import type { MessagingClient } from '@msgctl/client'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { checkedKey, idempotencyOption, noteReplay } from '../../http/idempotency.ts'
import { addVerb, type Run } from '../../program.ts'
import { optionalContainerId } from '../numbers/number-reference.ts'

interface Envelope {
  readonly phone: string
  readonly containerId?: string
  readonly clientReference?: string
}

interface Options {
  readonly from?: string
  readonly reference?: string
  readonly idempotencyKey?: string
}

interface FileOptions extends Options {
  readonly caption?: string
  readonly filename?: string
  readonly mimetype?: string
}

interface CardOptions extends Options {
  readonly organization?: string
  readonly email?: string
  readonly url?: string
}

interface PlaceOptions extends Options {
  readonly name?: string
  readonly address?: string
}

interface LinkOptions extends Options {
  readonly title?: string
  readonly description?: string
  readonly image?: string
}

interface PollOptions extends Options {
  readonly multiple?: true
}

const sentColumns = [
  { field: 'messageId', title: 'Message' },
  { field: 'gatewayMessageId', title: 'Network id' },
  { field: 'containerId', title: 'Number' },
]

/** The service fetches a file for up to 20 s and then sends it. */
const maxWaitMs = 60_000

/** Makes the call of one verb, with what is the same for all of them. */
type Call = (
  client: MessagingClient,
  envelope: Envelope,
  settings: { idempotencyKey: string | undefined; signal: AbortSignal; timeoutMs: number },
) => ReturnType<MessagingClient['alert']['sendPoll']['withResponse']>

async function send(context: Context, phone: string, options: Options, call: Call): Promise<void> {
  const idempotencyKey = checkedKey(options.idempotencyKey)
  const client = await context.client()
  const envelope: Envelope = {
    phone,
    ...(options.reference !== undefined && { clientReference: options.reference }),
    ...(await optionalContainerId(client, options.from)),
  }
  const timeoutMs = Math.max(context.timeoutMs, maxWaitMs)
  const { data, response } = await call(client, envelope, { idempotencyKey, signal: context.host.signal, timeoutMs })
  noteReplay(context, response)
  const { success: _always, ...sent } = data
  await context.print.record(sent, sentColumns)
}

function fileFields({ caption, filename, mimetype }: FileOptions) {
  return {
    ...(caption !== undefined && { caption }),
    ...(filename !== undefined && { filename }),
    ...(mimetype !== undefined && { mimetype }),
  }
}

/** The cards typed as `name:phone`; what else there is to say is for one card only. */
function cardsFrom(typed: readonly string[], { organization, email, url }: CardOptions) {
  const more = {
    ...(organization !== undefined && { organization }),
    ...(email !== undefined && { email }),
    ...(url !== undefined && { url }),
  }
  if (typed.length > 1 && Object.keys(more).length > 0) {
    throw usageFailure('--organization, --email and --url go with a single card.')
  }
  return typed.map((text) => {
    const at = text.lastIndexOf(':')
    if (at < 1) throw usageFailure(`A card is written as name:phone, not ${text}.`)
    return { fullName: text.slice(0, at).trim(), phone: text.slice(at + 1).trim(), ...more }
  })
}

function degrees(text: string, what: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw usageFailure(`The ${what} must be a number of degrees.`)
  return value
}

/** Adds one verb with what every send at once takes. */
function addSend(parent: Command, usage: string, summary: string, ...lines: readonly string[]): Command {
  return addVerb(parent, usage, summary, ...lines)
    .option('--from <number>', 'send through this number: its id, label or phone')
    .option('--reference <text>', 'your own reference, echoed in messages and events')
    .option(...idempotencyOption('send'))
}

function addFile(parent: Command, usage: string, summary: string, ...lines: readonly string[]): Command {
  return addSend(parent, usage, summary, ...lines)
    .option('--caption <text>', 'text under it')
    .option('--filename <name>', 'the name the recipient sees')
    .option('--mimetype <type>', 'its type, such as image/png; guessed when missing')
}

function registerFiles(parent: Command, run: Run): void {
  addFile(
    parent,
    'image <phone> <url>',
    'send a photo from a public link: JPEG, PNG or WebP',
    'msgctl send image +12025550100 https://example.com/menu.png --caption "Our new menu"',
  ).action(
    run((context, phone: string, imageUrl: string, options: FileOptions) =>
      send(context, phone, options, (client, envelope, settings) =>
        client.alert.sendImage.withResponse({ imageUrl, ...fileFields(options), ...envelope }, settings),
      ),
    ),
  )
  addFile(
    parent,
    'video <phone> <url>',
    'send an MP4 video from a public link',
    'msgctl send video +12025550100 https://example.com/tour.mp4',
  ).action(
    run((context, phone: string, videoUrl: string, options: FileOptions) =>
      send(context, phone, options, (client, envelope, settings) =>
        client.alert.sendVideo.withResponse({ videoUrl, ...fileFields(options), ...envelope }, settings),
      ),
    ),
  )
  addFile(
    parent,
    'file <phone> <url>',
    'send a file from a public link',
    'msgctl send file +12025550100 https://example.com/7.pdf --filename "Invoice 7.pdf" --reference order-7',
  ).action(
    run((context, phone: string, fileUrl: string, options: FileOptions) =>
      send(context, phone, options, (client, envelope, settings) =>
        client.alert.sendFile.withResponse({ fileUrl, ...fileFields(options), ...envelope }, settings),
      ),
    ),
  )
  addSend(
    parent,
    'voice <phone> <url>',
    'send audio from a public link; OGG with Opus plays as a voice note',
    'msgctl send voice +12025550100 https://example.com/hello.ogg',
  ).action(
    run((context, phone: string, audioUrl: string, options: Options) =>
      send(context, phone, options, (client, envelope, settings) =>
        client.alert.sendVoice.withResponse({ audioUrl, ...envelope }, settings),
      ),
    ),
  )
}

function registerCards(parent: Command, run: Run): void {
  addSend(
    parent,
    'contact <phone> <cards...>',
    'send contact cards, each written as name:phone',
    'msgctl send contact +12025550100 "Jane Doe:+12025550199" --email jane@example.com',
    'msgctl send contact +12025550100 "Jane Doe:+12025550199" "John Roe:+12025550198"',
  )
    .option('--organization <name>', 'organization on the card')
    .option('--email <address>', 'e-mail address on the card')
    .option('--url <url>', 'web address on the card')
    .action(
      run((context, phone: string, cards: string[], options: CardOptions) => {
        const contacts = cardsFrom(cards, options)
        return send(context, phone, options, (client, envelope, settings) =>
          client.alert.sendContact.withResponse({ contacts, ...envelope }, settings),
        )
      }),
    )
  addSend(
    parent,
    'location <phone> <latitude> <longitude>',
    'send a place on the map, in degrees north and east',
    'msgctl send location +12025550100 38.89 -77.09 --name "Our office"',
  )
    .option('--name <name>', 'name of the place')
    .option('--address <address>', 'address of the place')
    .action(
      run((context, phone: string, north: string, east: string, options: PlaceOptions) => {
        const { name, address } = options
        const input = {
          latitude: degrees(north, 'latitude'),
          longitude: degrees(east, 'longitude'),
          ...(name !== undefined && { name }),
          ...(address !== undefined && { address }),
        }
        return send(context, phone, options, (client, envelope, settings) =>
          client.alert.sendLocation.withResponse({ ...input, ...envelope }, settings),
        )
      }),
    )
}

function registerTexts(parent: Command, run: Run): void {
  addSend(
    parent,
    'link <phone> <url> [text]',
    'send a link with a preview',
    'msgctl send link +12025550100 https://example.com/menu "This week" --title "Our menu"',
  )
    .option('--title <text>', 'title of the preview')
    .option('--description <text>', 'text of the preview')
    .option('--image <url>', 'public link to the picture of the preview')
    .action(
      run((context, phone: string, url: string, message: string | undefined, options: LinkOptions) => {
        const { title, description, image } = options
        const input = {
          url,
          ...(message !== undefined && { message }),
          ...(title !== undefined && { title }),
          ...(description !== undefined && { description }),
          ...(image !== undefined && { imageUrl: image }),
        }
        return send(context, phone, options, (client, envelope, settings) =>
          client.alert.sendLink.withResponse({ ...input, ...envelope }, settings),
        )
      }),
    )
  addSend(
    parent,
    'poll <phone> <question> <answers...>',
    'send a poll; votes come as the event poll.vote',
    'msgctl send poll +12025550100 "Which day suits you?" Monday Tuesday --multiple',
  )
    .option('--multiple', 'a person may choose several answers')
    .action(
      run((context, phone: string, question: string, answers: string[], options: PollOptions) => {
        const poll = { question, options: answers, multipleAnswers: options.multiple ?? false }
        return send(context, phone, options, (client, envelope, settings) =>
          client.alert.sendPoll.withResponse({ ...poll, ...envelope }, settings),
        )
      }),
    )
}

/** The options that a text and everything else have in common, by the names that commander gives them. */
const shared: readonly string[] = ['from', 'reference', 'idempotencyKey']

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
  registerFiles(parent, runWithShared)
  registerCards(parent, runWithShared)
  registerTexts(parent, runWithShared)
}
