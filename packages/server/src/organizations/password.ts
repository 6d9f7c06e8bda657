import { randomBytes } from 'node:crypto'
import { hashPassword } from '../access/password.ts'

/** A password for somebody else, of 96 random bits, and its hash. It is shown once. */
export async function newPassword(): Promise<{ password: string; passwordHash: string }> {
  const password = randomBytes(12).toString('base64url')
  return { password, passwordHash: await hashPassword(password) }
}
