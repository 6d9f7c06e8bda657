const suffix = '@lid'
const mark = '77'

/**
 * Returns the hidden id of the person with these digits, as the API writes it: digits and `@lid`. Only the network can
 * convert it back.
 */
export function toLid(digits: string): string {
  return (
    mark +
    [...digits]
      .map((digit) => (Number(digit) * 7 + 3) % 10)
      .reverse()
      .join('') +
    suffix
  )
}

/** Whose hidden id it is, or null for an id that the network never gave out. */
export function parseLid(lid: string): string | null {
  const id = lid.endsWith(suffix) ? lid.slice(0, -suffix.length) : lid
  if (!/^\d{9,32}$/.test(id) || !id.startsWith(mark)) return null
  // 3 is the inverse of 7 modulo 10.
  return [...id.slice(mark.length)]
    .map((digit) => ((Number(digit) + 7) * 3) % 10)
    .reverse()
    .join('')
}

/** Returns all addresses of a person, who is the same under number and hidden id. */
export function addressesOf(phone: string): string[] {
  const other = phone.endsWith('@lid') ? parseLid(phone) : toLid(phone)
  return other === null ? [phone] : [phone, other]
}
