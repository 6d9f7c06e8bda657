type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text

/** Returns an object whose fields, the words of `text`, are all null: most fields of Stripe's objects are. */
export function nulls<Text extends string>(text: Text): Record<Words<Text>, null> {
  return Object.fromEntries(text.split(' ').map((word) => [word, null])) as Record<Words<Text>, null>
}

/** An address of which the country is known only. */
export function addressIn(country: string | null) {
  return { country, ...nulls('city line1 line2 postal_code state') }
}

/** Returns a list of the kind that Stripe puts into objects. */
export function listOf<T>(data: T[], url: string) {
  return { object: 'list' as const, data, has_more: false, url }
}
