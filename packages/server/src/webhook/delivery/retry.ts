/** Attempts of one delivery, the first included (specification, "Delivery rules"). */
export const maxAttempts = 5

const waitsSeconds = [5, 10, 20, 40]
const spread = 0.1

/**
 * When a delivery is tried again after its attempt number `attempts` failed at `at`: 5, 10, 20, 40 s later, each up to
 * 10 % shorter or longer by `random` (0 to 1), so that retries of many events do not arrive as one. Null after the last.
 */
export function retryAt(attempts: number, at: Date, random: number): Date | null {
  const waitSeconds = waitsSeconds[attempts - 1]
  if (waitSeconds === undefined || attempts >= maxAttempts) return null
  return new Date(at.getTime() + waitSeconds * 1000 * (1 - spread + 2 * spread * random))
}
