import { usageFailure } from '../../errors/exit-codes.ts'
import { type Options, send, sendVerb } from './direct-call.ts'

interface CardOptions extends Options {
  readonly organization?: string
  readonly email?: string
  readonly url?: string
}

/** Parses cards written as `name:phone`; the other options are allowed for a single card only. */
function parseCards(typed: readonly string[], { organization, email, url }: CardOptions) {
  const more = {
    ...(organization !== undefined && { organization }),
    ...(email !== undefined && { email }),
    ...(url !== undefined && { url }),
  }
  if (typed.length > 1 && Object.keys(more).length > 0) {
    throw usageFailure('--organization, --email and --url require a single card.')
  }
  return typed.map((text) => {
    const at = text.lastIndexOf(':')
    if (at < 1) throw usageFailure(`A card must be name:phone, not ${text}.`)
    return { fullName: text.slice(0, at).trim(), phone: text.slice(at + 1).trim(), ...more }
  })
}

/** `send contact`. */
export const contactVerb = sendVerb(
  'contact <phone> <cards...>',
  'send contact cards, each as name:phone',
  (context, phone: string, cards: string[], options: CardOptions) => {
    const contacts = parseCards(cards, options)
    return send(context, phone, options, (client, envelope, settings) =>
      client.alert.sendContact.withResponse({ contacts, ...envelope }, settings),
    )
  },
  [
    'msgctl send contact +12025550100 "Jane Doe:+12025550199" --email jane@example.com',
    'msgctl send contact +12025550100 "Jane Doe:+12025550199" "John Roe:+12025550198"',
  ],
  (command) =>
    command
      .option('--organization <name>', 'organization on the card')
      .option('--email <address>', 'e-mail address on the card')
      .option('--url <url>', 'web address on the card'),
)
