import { readFileSync } from 'node:fs'
import path from 'node:path'
import { html } from './html.ts'
import { type Linker, renderMarkdown } from './markdown.ts'
import { pathTo, type Rendered } from './page.ts'

const folder = path.join(import.meta.dirname, '../../../docs/use')

/** The guides in the order of the menu, by their file in docs/use/guides. The signature format lies in docs/use. */
export const guides = [
  { slug: 'first-message', title: 'First message', about: 'From a key to a message that is read.' },
  { slug: 'campaigns', title: 'Campaigns', about: 'One text to many people, with values of their own.' },
  { slug: 'reminders', title: 'Reminders', about: 'Messages at a set time, once or repeated.' },
  { slug: 'one-time-codes', title: 'One-time codes', about: 'Send a code, and check what the person enters.' },
  { slug: 'conversations', title: 'Conversations', about: 'Read what people write, reply, download files.' },
  { slug: 'testing', title: 'Test your application', about: 'The real service in your tests, and a fake.' },
  { slug: 'msgctl', title: 'The command line', about: 'Sign in, daily commands, scripts.' },
  { slug: 'authentication', title: 'Authentication', about: 'Account keys, keys of a number, and signed-in users.' },
  {
    slug: 'teams',
    title: 'Teams, organizations and accounts',
    about: 'Invitations, roles, several organizations, two steps, deletion.',
  },
  { slug: 'products-and-keys', title: 'Products and keys', about: 'Which product unlocks which call.' },
  { slug: 'errors', title: 'Errors', about: 'The envelope, codes, and what to do about each class.' },
  { slug: 'retries', title: 'Retries and idempotency', about: 'Repeat a call without sending twice.' },
  { slug: 'paging', title: 'Paging', about: 'Walk through long lists without gaps.' },
  { slug: 'events', title: 'Events', about: 'The event log, its stream, and what an event holds.' },
  { slug: 'assistants', title: 'Assistants and shop', about: 'Answer customers, take orders, hand over to people.' },
  { slug: 'ai-clients', title: 'AI clients', about: 'Claude, Cursor and others use your numbers; a person approves.' },
  { slug: 'webhooks', title: 'Webhooks', about: 'Receive events, verify signatures, replay.' },
  { slug: 'webhook-signature', title: 'Signature format', about: 'The exact format, for any language.' },
  { slug: 'media', title: 'Files and media', about: 'Send links and files of your own, download what people send.' },
  { slug: 'watching', title: 'Watching', about: 'What runs, what waits, what went wrong, and what is used.' },
  { slug: 'limits', title: 'Limits', about: 'Rates, sizes and quotas.' },
  { slug: 'going-live', title: 'Going live', about: 'A list to go through before real people get messages.' },
  { slug: 'selling', title: 'Sell it', about: 'Billing with Stripe in 15 minutes.' },
] as const

/** Returns the page of a guide from its Markdown. */
export function guidePage({ slug, title, about }: (typeof guides)[number], linker: Linker): Rendered {
  const file = slug === 'webhook-signature' ? `${slug}.md` : `guides/${slug}.md`
  const { body, headings } = renderMarkdown(readFileSync(path.join(folder, file), 'utf8'), linker)
  return { path: pathTo.guide(slug), title, about, body: html`<div class="guide">${body}</div>`, sections: headings }
}
