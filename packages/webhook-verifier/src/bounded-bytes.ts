import { refuse } from './error.ts'

/** Collects the pieces of a body up to a bound, so that no sender decides how much memory is used. */
export interface BoundedBytes {
  /** @throws WebhookVerificationError body_too_large when this piece goes beyond the bound */
  push(piece: Uint8Array): void
  join(): Uint8Array
}

/**
 * @param contentLength the header as sent: a body that is announced as too large is rejected before it is read
 * @throws WebhookVerificationError body_too_large
 */
export function boundedBytes(maxBodyBytes: number, contentLength: string | null | undefined): BoundedBytes {
  const pieces: Uint8Array[] = []
  let size = 0
  const grow = (bytes: number) => {
    size += bytes
    if (!(size <= maxBodyBytes)) refuse('body_too_large')
  }
  if (Number(contentLength) > maxBodyBytes) refuse('body_too_large')
  return {
    push(piece) {
      grow(piece.length)
      pieces.push(piece)
    },
    join() {
      const bytes = new Uint8Array(size)
      let offset = 0
      for (const piece of pieces) {
        bytes.set(piece, offset)
        offset += piece.length
      }
      return bytes
    },
  }
}
