import { keyOf } from './world.ts'

/** Returns the id of the customer to whom an id of the simulator belongs: both share a part. */
export function customerIdOf(id: string): string {
  return `cus_${keyOf(id)}`
}
