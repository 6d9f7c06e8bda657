import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { registerAdd } from './add.ts'
import { registerDefault } from './default.ts'
import { registerGroup } from './group.ts'
import { registerHistory } from './history.ts'
import { registerLink } from './link.ts'
import { registerList } from './list.ts'
import { registerLogout } from './logout.ts'
import { registerPair } from './pair.ts'
import { registerProfile } from './profile.ts'
import { registerReconnect } from './reconnect.ts'
import { registerRelease } from './release.ts'
import { registerRemove } from './remove.ts'
import { registerRename } from './rename.ts'
import { registerStart } from './start.ts'
import { registerStatus } from './status.ts'
import { registerStop } from './stop.ts'
import { registerWatch } from './watch.ts'

export function register(numbers: Command, run: Run): void {
  registerList(numbers, run)
  registerAdd(numbers, run)
  registerRemove(numbers, run)
  registerRename(numbers, run)
  registerDefault(numbers, run)
  registerStatus(numbers, run)
  registerStart(numbers, run)
  registerStop(numbers, run)
  registerReconnect(numbers, run)
  registerLogout(numbers, run)
  registerHistory(numbers, run)
  registerWatch(numbers, run)
  registerProfile(numbers, run)
  registerLink(numbers, run)
  registerPair(numbers, run)
  registerRelease(numbers, run)
  registerGroup(numbers, run)
}
