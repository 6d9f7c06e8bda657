import type { Contract } from '@msgctl/contract'
import type { Content } from '@msgctl/network/gateway'
import type { Request } from '#api/http/handler.ts'
import { requirePublicSource, withMedia } from '#api/media/uploads/open.ts'
import { contactsLabel, linkText, locationLabel, pollLabel } from '#sending/messages/label.ts'
import type { Services } from '#services.ts'
import { sendDirectly } from './direct.ts'

/** The fields of `T` without those that are undefined. */
type ToResponse<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** Returns a copy without the fields that are undefined. */
function toResponse<T extends object>(fields: T): ToResponse<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ToResponse<T>
}

type Alert = Contract['alert']
type Link = Extract<Content, { kind: 'link' }>

/** Sends contact cards. */
export function sendContact(request: Request<Alert['sendContact']>, services: Services) {
  const contacts = request.body.contacts.map(toResponse)
  return sendDirectly(request, services, (deliver) =>
    deliver({ label: contactsLabel(contacts), content: { kind: 'contacts', contacts } }),
  )
}

/** Sends a place on the map. */
export function sendLocation(request: Request<Alert['sendLocation']>, services: Services) {
  const { latitude, longitude, name, address } = request.body
  const place = toResponse({ latitude, longitude, name, address })
  return sendDirectly(request, services, (deliver) =>
    deliver({ label: locationLabel(place), content: { kind: 'location', ...place } }),
  )
}

/** Sends a poll. */
export function sendPoll(request: Request<Alert['sendPoll']>, services: Services) {
  const { question, options, multipleAnswers } = request.body
  return sendDirectly(request, services, (deliver) =>
    deliver({ label: pollLabel(question), content: { kind: 'poll', question, options, multipleAnswers } }),
  )
}

/**
 * Sends a link with a preview. The network fetches the link for the missing parts of the preview, so the link must be
 * public too. The service fetches the picture like any other file.
 */
export function sendLink(request: Request<Alert['sendLink']>, services: Services) {
  const { url, message, title, description, imageUrl, mediaId } = request.body
  const { organizationId } = request.caller
  const text = linkText(url, message)
  const link: Link = { kind: 'link', text, url, ...toResponse({ title, description }) }
  services.media.requirePublic('url', url)
  if (imageUrl === undefined && mediaId === undefined) {
    return sendDirectly(request, services, (deliver) => deliver({ label: text, content: link }))
  }
  const { signal } = request
  const picture = { organizationId, kind: 'image', field: 'imageUrl', url: imageUrl, mediaId, signal } as const
  requirePublicSource(services, picture)
  return sendDirectly(request, services, (deliver) =>
    withMedia(services, picture, (file) => {
      const { filename: _unused, ...image } = file
      return deliver({ label: text, content: { ...link, image } })
    }),
  )
}
