import { between, draws } from '#networks/simulator/random.ts'
import type { Db } from '#platform/db/db.ts'
import { takenPhones } from './store.ts'

const candidates = 20

/** The n-th phone a number would choose for itself: +1 NXX 555 1000 to 9999, outside the people of the table. */
export function ownPhone(containerId: string, n: number): string {
  const chance = draws(0, 'own phone', containerId, n)
  return `1${between(200, 989, chance(0))}555${between(1000, 9999, chance(1))}`
}

/** Returns the phone that scans for a number by default: always the same, unless another number has it. */
export async function freePhone(db: Db, containerId: string): Promise<string> {
  const candidatePhones = Array.from({ length: candidates }, (_, n) => ownPhone(containerId, n))
  const usedPhones = await takenPhones(db, candidatePhones)
  return candidatePhones.find((phone) => !usedPhones.has(phone)) ?? ownPhone(containerId, candidates)
}
