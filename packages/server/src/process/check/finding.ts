/** What one check found. `note` changes nothing about the exit code. */
export interface Finding {
  readonly name: string
  readonly outcome: 'ok' | 'note' | 'failed'
  /** What was found and, unless it is ok, what to do. */
  readonly text: string
}

/** Returns a finding that is ok where `isOk`, and otherwise what to do about it. */
export function finding(
  name: string,
  isOk: boolean,
  ok: string,
  otherwise: string,
  worst: 'note' | 'failed' = 'failed',
): Finding {
  return { name, outcome: isOk ? 'ok' : worst, text: isOk ? ok : otherwise }
}
