import type { Content } from '../gateway/gateway.ts'

/** What of a message may be changed. */
export type EditableField = 'message' | 'caption'

const editable: Readonly<Partial<Record<Content['kind'], EditableField>>> = {
  text: 'message',
  link: 'message',
  image: 'caption',
  video: 'caption',
  file: 'caption',
}

/** The field that changes a message of this kind; null for kinds whose words the network lets nobody change. */
export function editableField(kind: Content['kind']): EditableField | null {
  return editable[kind] ?? null
}

/** How old a message is, in whole seconds, and whether it may still be changed within `windowSeconds`. */
export function messageAge(sentAt: Date, now: Date, windowSeconds: number): { ageSeconds: number; passed: boolean } {
  const ageSeconds = Math.max(0, Math.floor((now.getTime() - sentAt.getTime()) / 1000))
  return { ageSeconds, passed: ageSeconds > windowSeconds }
}
