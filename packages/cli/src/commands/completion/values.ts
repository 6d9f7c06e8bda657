import type { MessagingClient } from '@msgctl/client'
import type { Context } from '../../context.ts'
import { startTimeLimit } from '../../http/time-limit.ts'
import type { Completion } from './completions.ts'

/** What an argument or option names, by its name in the usage. */
const kinds: Readonly<Record<string, keyof typeof sources | 'profiles' | 'files'>> = {
  number: 'numbers',
  from: 'numbers',
  campaign: 'campaigns',
  bot: 'bots',
  delivery: 'deliveries',
  endpoint: 'endpoints',
  event: 'events',
  profile: 'profiles',
  file: 'files',
  csv: 'files',
  input: 'files',
  qr: 'files',
}

/** How long a person waits for a completion at most. */
const timeLimitMs = 1500
const most = 50

async function numbers(client: MessagingClient, signal: AbortSignal): Promise<Completion[]> {
  const { sessions } = await client.numbers.list({}, { signal })
  return sessions.map(({ label, status, phoneNumber }) => ({
    word: label,
    description: [status, ...(phoneNumber === null ? [] : [`+${phoneNumber}`])].join(' '),
  }))
}

async function campaigns(client: MessagingClient, signal: AbortSignal): Promise<Completion[]> {
  const all = (await client.campaigns.list({}, { signal })).campaigns.toReversed().slice(0, most)
  return all.flatMap(({ id, name, status }) => [
    { word: name, description: status },
    { word: id, description: `${status} ${name}` },
  ])
}

async function messages(client: MessagingClient, signal: AbortSignal): Promise<Completion[]> {
  const { messages: list } = await client.messages.list({ limit: most }, { signal })
  return list.map(({ id, recipient, status }) => ({ word: id, description: `${status} ${recipient ?? ''}` }))
}

async function reminders(client: MessagingClient, signal: AbortSignal): Promise<Completion[]> {
  const { reminders: list } = await client.reminders.list({ limit: most }, { signal })
  return list.map(({ id, phone, status }) => ({ word: id, description: `${status} ${phone}` }))
}

async function bots(context: Context, signal: AbortSignal): Promise<Completion[]> {
  const { bots: list } = await (await context.admin()).bots.list({}, { signal })
  return list.map(({ name, status }) => ({ word: name, description: status }))
}

async function deliveries(client: MessagingClient, signal: AbortSignal): Promise<Completion[]> {
  const { deliveries: list } = await client.webhook.deliveries({ limit: most }, { signal })
  return list.map(({ id, event, status }) => ({ word: id, description: `${status} ${event}` }))
}

async function endpoints(client: MessagingClient, signal: AbortSignal): Promise<Completion[]> {
  const { endpoints: list } = await client.webhook.endpoints({}, { signal })
  return list.map(({ id, label, url }) => ({ word: id, description: [label, url].filter(Boolean).join(' ') }))
}

async function events(client: MessagingClient, signal: AbortSignal): Promise<Completion[]> {
  const { events: list } = await client.events.list({ order: 'newest', limit: most }, { signal })
  return list.map(({ id, event, timestamp }) => ({ word: id, description: `${event} ${timestamp}` }))
}

/** The lists of the service, by what they list. */
const sources = { numbers, campaigns, messages, reminders, deliveries, endpoints, events, bots: undefined }

/** Makes the completion scripts complete file names. */
export const fileNames: Completion = { word: ':files', description: '' }

/**
 * Returns the values that the service, or the configuration, has for an argument or an option with this name. Without a
 * connection there are none: a completion never reports an error.
 */
export async function listValues(context: Context, noun: string, name: string): Promise<Completion[]> {
  const kind = name === 'id' && (noun === 'messages' || noun === 'reminders') ? noun : kinds[name]
  if (kind === undefined) return []
  if (kind === 'files') return [fileNames]
  if (kind === 'profiles') {
    const { profiles } = context.config
    return Object.entries(profiles).map(([word, { baseUrl }]) => ({ word, description: baseUrl }))
  }
  const limit = startTimeLimit(timeLimitMs, context.host.signal)
  try {
    const list = sources[kind]
    return await (list ? list(await context.client(), limit.signal) : bots(context, limit.signal))
  } catch {
    return []
  } finally {
    limit.end()
  }
}
