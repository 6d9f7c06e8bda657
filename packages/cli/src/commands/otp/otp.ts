import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { registerSend } from './send.ts'
import { registerStats } from './stats.ts'
import { registerVerify } from './verify.ts'

export function register(otp: Command, run: Run): void {
  registerSend(otp, run)
  registerVerify(otp, run)
  registerStats(otp, run)
}
