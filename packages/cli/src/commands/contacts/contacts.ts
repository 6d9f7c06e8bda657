import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { registerCount } from './count.ts'
import { registerList } from './list.ts'
import { registerOptOut } from './opt-out.ts'
import { registerSearch } from './search.ts'
import { registerSync } from './sync.ts'
import { registerWords } from './words.ts'

export function register(contacts: Command, run: Run): void {
  registerSearch(contacts, run)
  registerList(contacts, run)
  registerCount(contacts, run)
  registerSync(contacts, run)
  registerOptOut(contacts, run)
  registerWords(contacts, run)
}
