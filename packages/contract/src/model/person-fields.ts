import * as z from 'zod'
import { text } from './fields.ts'
import { limits } from './limits.ts'

/** The e-mail address of a person. Parsing returns lower case. */
export const email = z
  .string()
  .max(limits.email)
  .overwrite((address) => address.trim().toLowerCase())
  .pipe(z.email())
  .meta({ format: 'email' })
  .describe('E-mail address, up to 254 characters; case does not matter.')

/** A password that is compared. */
export const password = text(1, limits.password.max)

/** A password that is set. */
export const newPassword = text(limits.password.min, limits.password.max)

/** The token of a link, which stands behind the fragment's name. */
export const linkToken = text(1, limits.linkToken)
