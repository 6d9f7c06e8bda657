import type { Content } from '@msgctl/network/gateway'

type Kind = Content['kind']
type Of<K extends Kind> = Extract<Content, { kind: K }>

/**
 * Returns the text that GET /messages shows for a file (specification, "Message"): its caption, or a label with its
 * link. An empty caption counts as none.
 */
export function mediaLabel(kind: 'image' | 'video' | 'file' | 'voice', link: string, caption?: string): string {
  return caption || `[${kind}] ${link}`
}

/** Returns the text for contact cards: the names on them. */
export function contactsLabel(contacts: Of<'contacts'>['contacts']): string {
  return `[contact] ${contacts.map((contact) => contact.fullName).join(', ')}`
}

/** Returns the text for a location: its coordinates, and its name or address if given. */
export function locationLabel(place: Omit<Of<'location'>, 'kind'>): string {
  return ['[location]', `${place.latitude},${place.longitude}`, place.name ?? place.address].filter(Boolean).join(' ')
}

/** Returns the text for a poll: its question. */
export function pollLabel(question: string): string {
  return `[poll] ${question}`
}

/** Returns the text of a message with a link, which gets a line of its own when the text lacks it. */
export function linkText(url: string, message?: string): string {
  if (message === undefined) return url
  return message.includes(url) ? message : `${message}\n${url}`
}
