import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { registerClock } from './clock.ts'
import { registerConnection } from './connection.ts'
import { registerFaults } from './faults.ts'
import { registerInbound } from './inbound.ts'
import { registerMail } from './mail.ts'
import { registerPresence } from './presence.ts'
import { registerReceipt } from './receipt.ts'
import { registerTranscript } from './transcript.ts'

export function register(sim: Command, run: Run): void {
  registerConnection(sim, run)
  registerInbound(sim, run)
  registerPresence(sim, run)
  registerReceipt(sim, run)
  registerTranscript(sim, run)
  registerMail(sim, run)
  registerClock(sim, run)
  registerFaults(sim, run)
}
