import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { registerInvite } from './invite.ts'
import { registerJoin } from './join.ts'
import { registerList } from './list.ts'
import { registerMembers } from './members.ts'

export function register(team: Command, run: Run): void {
  registerList(team, run)
  registerInvite(team, run)
  registerMembers(team, run)
  registerJoin(team, run)
}
