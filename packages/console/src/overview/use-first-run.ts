import { useState } from 'preact/hooks'
import type { Overview } from '../api/overview.ts'

/** Whether to show the first steps: until the organization has sent something, or a person skips them. */
export function useFirstRun(overview: Overview | null): { isFirst: boolean; skip: () => void } {
  const [isFirst, setFirst] = useState<boolean | null>(null)
  const isEmpty = overview !== null && Object.values(overview.messages).every((count) => count === 0)
  // It stays until the page is left, although the first message ends the reason for it.
  if (isFirst === null && overview !== null) setFirst(isEmpty)
  return { isFirst: isFirst ?? isEmpty, skip: () => setFirst(false) }
}
