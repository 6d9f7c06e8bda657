/** Controls that are no space, and what is never shown: marks of direction, zero width, soft hyphens, tags. */
const invisible = /[^\P{Cc}\s]|[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
/** Normalizing takes the square of the marks in a row. No letter of any language has more than this. */
const manyMarks = /(?<!\p{M})(\p{M}{30})\p{M}+/gu
const foreignDigit = /[^\P{Nd}0-9]/gu
const decimalDigit = /\p{Nd}/u

/** Full stops and signs of numbers that NFKC leaves as they are. */
const signs: Readonly<Record<string, string>> = { '。': '.', '٫': '.', '٬': ',', '،': ',', '٪': '%' }
const foreignSign = /[。٫٬،٪]/gu

/**
 * Returns the form in which a text of a stranger or of a model is compared, so that what looks alike is alike:
 * compatible characters are one (NFKC), invisible ones are gone, digits of all scripts are 0 to 9, and full stops and
 * signs of numbers are `.`, `,` and `%`. Letters keep their case and their accents. Takes time in proportion to the
 * length.
 */
export function plainText(text: string): string {
  return text
    .replace(invisible, '')
    .replace(manyMarks, '$1')
    .normalize('NFKC')
    .replace(foreignDigit, (digit) => String(digitOf(digit)))
    .replace(foreignSign, (sign) => signs[sign] ?? sign)
}

/**
 * Returns the value of a decimal digit of any script: its place in a row of digits, which are groups of ten from 0 to
 * 9.
 */
function digitOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (decimalDigit.test(String.fromCodePoint(first - 1))) first -= 1
  return (code - first) % 10
}
