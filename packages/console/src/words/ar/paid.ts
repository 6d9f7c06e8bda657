import { banner, billing } from './billing.ts'
import { platform } from './platform.ts'

/** The sentences about what is paid, and of the staff, in Arabic: a file of their own, as each may have its size. */
export const paid = { banner, billing, platform }
