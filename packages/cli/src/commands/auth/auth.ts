import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { registerDelete } from './delete.ts'
import { registerPassword } from './password.ts'
import { registerSessions } from './sessions.ts'
import { registerTwoFactor } from './two-factor.ts'
import { registerVerify } from './verify.ts'

export function register(auth: Command, run: Run): void {
  registerPassword(auth, run)
  registerVerify(auth, run)
  registerSessions(auth, run)
  registerTwoFactor(auth, run)
  registerDelete(auth, run)
}
