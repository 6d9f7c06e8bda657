import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { registerExplain } from './explain.ts'
import { registerGet } from './get.ts'
import { registerList } from './list.ts'
import { registerPath } from './path.ts'
import { registerSet } from './set.ts'
import { registerUnset } from './unset.ts'
import { registerUse } from './use.ts'

export function register(config: Command, run: Run): void {
  registerList(config, run)
  registerUse(config, run)
  registerExplain(config, run)
  registerGet(config, run)
  registerSet(config, run)
  registerUnset(config, run)
  registerPath(config, run)
}
