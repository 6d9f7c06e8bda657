import type { Content } from '@msgctl/network/gateway'

/** The fields of a message that can change. */
export type EditableField = 'message' | 'caption'

const editable: Readonly<Partial<Record<Content['kind'], EditableField>>> = {
  text: 'message',
  link: 'message',
  image: 'caption',
  video: 'caption',
  file: 'caption',
}

/** Returns the field that changes a message of this kind; null for kinds whose text the network does not let change. */
export function editableField(kind: Content['kind']): EditableField | null {
  return editable[kind] ?? null
}

/** Returns the age of a message in whole seconds, and whether it can still change within `windowSeconds`. */
export function messageAge(sentAt: Date, now: Date, windowSeconds: number): { ageSeconds: number; passed: boolean } {
  const ageSeconds = Math.max(0, Math.floor((now.getTime() - sentAt.getTime()) / 1000))
  return { ageSeconds, passed: ageSeconds > windowSeconds }
}
