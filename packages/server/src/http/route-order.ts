/**
 * Orders paths so that a fixed segment comes before a parameter at the same position: `/chats/unread` is tried before
 * `/chats/:phone`. Everything else stays as it was.
 */
export function fixedSegmentsFirst(a: string, b: string): number {
  const left = a.split('/')
  const right = b.split('/')
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const difference = Number(left[at]?.startsWith(':')) - Number(right[at]?.startsWith(':'))
    if (difference !== 0) return difference
  }
  return 0
}
