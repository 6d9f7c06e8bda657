import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { registerChange } from './change.ts'
import { registerList } from './list.ts'
import { registerOwner } from './owner.ts'

export function register(org: Command, run: Run): void {
  registerList(org, run)
  registerChange(org, run)
  registerOwner(org, run)
}
