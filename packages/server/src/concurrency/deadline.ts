import { GatewayError } from '../gateway/errors.ts'

/**
 * Waits for a call of a driver, at most `ms`: a driver that ignores the time it was given must not hold its caller for
 * ever. Throws a GatewayError of the kind `timeout`, of unknown outcome; what the call comes to later is
 * nobody's any more and is dropped.
 */
export async function withTimeout<T>(ms: number, call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // Made only when it is needed: the trace of an error costs more than the rest of this.
    timer = setTimeout(() => reject(new GatewayError('timeout', 'The network did not answer in time.')), ms)
  })
  try {
    return await Promise.race([call, late])
  } finally {
    clearTimeout(timer)
  }
}
