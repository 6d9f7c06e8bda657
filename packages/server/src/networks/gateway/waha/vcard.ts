interface Contact {
  readonly fullName: string
  readonly phone: string
  readonly organization?: string
  readonly email?: string
  readonly url?: string
}

/** Returns a contact as a vCard 3.0 (RFC 2426). The `waid` of the number makes apps offer a chat. */
export function toVcard({ fullName, phone, organization, email, url }: Contact): string {
  return [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:;${escaped(fullName)};;;`,
    `FN:${escaped(fullName)}`,
    ...(organization === undefined ? [] : [`ORG:${escaped(organization)};`]),
    `TEL;type=CELL;type=VOICE;waid=${phone}:+${phone}`,
    ...(email === undefined ? [] : [`EMAIL:${escaped(email)}`]),
    ...(url === undefined ? [] : [`URL:${escaped(url)}`]),
    'END:VCARD',
  ].join('\n')
}

/** A line break in a value would begin a property of the caller's choice. */
function escaped(text: string): string {
  return text.replaceAll(/[\\,;]/g, '\\$&').replaceAll(/\r\n|\r|\n/g, '\\n')
}
