import { randomBytes } from 'node:crypto'
import { hashPassword } from '#api/access/password.ts'

/** Returns a generated password of 96 random bits with its hash. The operator shows it once. */
export async function newPassword(): Promise<{ password: string; passwordHash: string }> {
  const password = randomBytes(12).toString('base64url')
  return { password, passwordHash: await hashPassword(password) }
}
