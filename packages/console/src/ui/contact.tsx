import { initials, phoneText } from '../words/format.ts'

const hues = 6

function hueOf(text: string): number {
  let sum = 0
  for (const character of text) sum += character.codePointAt(0) ?? 0
  return sum % hues
}

/** The letters of a contact in a circle of its own colour. */
export function Face({ id, name }: { readonly id: string; readonly name: string | null }) {
  return (
    <span class={`face hue-${hueOf(id)}`} aria-hidden>
      {initials(name ?? phoneText(id))}
    </span>
  )
}

/** A phone number, left to right in every language. */
export function Phone({ of }: { readonly of: string | null }) {
  return of === null ? <span class="muted">—</span> : <span class="num phone-number">{phoneText(of)}</span>
}
