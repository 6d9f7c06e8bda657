const beginsTag = /[a-z!]/i

/**
 * Removes what a program could take for tags of HTML, also those that form when others are removed. Reads the text
 * once: what was read lies on a stack, and the end of a tag takes the tag off it.
 */
export function withoutTags(text: string): string {
  const kept: string[] = []
  /** Where the first tag that has not ended begins in `kept`; -1 for none. */
  let begun = -1
  for (const sign of text) {
    if (sign === '>' && begun !== -1) {
      kept.length = begun
      begun = -1
      continue
    }
    if (begun === -1 && beginsTag.test(sign)) {
      const before = kept.at(-1) === '/' ? kept.length - 2 : kept.length - 1
      if (kept[before] === '<') begun = before
    }
    kept.push(sign)
  }
  return kept.join('')
}

/** Signs that would begin markup with the ones that come to stand behind them. */
const joining = /[</!\]]/

/**
 * Replaces images of Markdown by their words. Reads the text once: the beginnings of images lie on a stack, and an
 * address takes the last one off it. A text without tags has none afterwards, and no image: a space keeps apart what
 * would form one.
 */
export function withoutImages(text: string): string {
  const parts: string[] = []
  const begun: { readonly part: number; readonly at: number }[] = []
  const nextRound = finder(text, ')')
  const nextSquare = finder(text, ']')
  const gapAt = (at: number) => (joining.test(text[at - 1] ?? '') ? ' ' : '')

  /** Returns where the address behind the words of an image ends, or -1 where there is none. */
  function endOfAddress(at: number): number {
    if (text[at] === '(') return nextRound(at)
    return text[at] === '[' ? nextSquare(at) : -1
  }

  for (let at = 0; at < text.length; at++) {
    if (text.startsWith('![', at)) {
      begun.push({ part: parts.push('![') - 1, at })
      at += 1
    } else if (text[at] === ']') {
      const end = endOfAddress(at + 1)
      const image = end === -1 ? undefined : begun.pop()
      if (image) {
        parts[image.part] = gapAt(image.at)
        parts.push(gapAt(at))
        at = end
      } else {
        begun.length = 0
        parts.push(']')
      }
    } else {
      parts.push(text[at] ?? '')
    }
  }
  return parts.join('')
}

/**
 * Returns a function that finds a sign at or after a position. Positions must not fall, so all calls read the text
 * once.
 */
function finder(text: string, sign: string): (from: number) => number {
  let found = 0
  return (from) => {
    if (found !== -1 && found < from) found = text.indexOf(sign, from)
    return found
  }
}
