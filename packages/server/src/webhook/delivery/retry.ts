/** The attempts of one delivery, including the first (specification, "Delivery rules"). */
export const maxAttempts = 5

const waitsSeconds = [5, 10, 20, 40]
const spread = 0.1

/**
 * Returns the time of the next attempt after attempt number `attempts` failed at `at`: 5, 10, 20 or 40 s later. `random`
 * (0 to 1) varies it by up to 10 %, so that retries of many events are spread. Returns null after the last attempt.
 */
export function retryAt(attempts: number, at: Date, random: number): Date | null {
  const waitSeconds = waitsSeconds[attempts - 1]
  if (waitSeconds === undefined || attempts >= maxAttempts) return null
  return new Date(at.getTime() + waitSeconds * 1000 * (1 - spread + 2 * spread * random))
}
