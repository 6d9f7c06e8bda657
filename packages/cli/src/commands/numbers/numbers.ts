import { verbs } from '../../program.ts'
import { addVerb } from './add.ts'
import { defaultVerb } from './default.ts'
import { groupVerbs } from './group.ts'
import { historyVerb } from './history.ts'
import { linkVerb } from './link.ts'
import { listVerb } from './list.ts'
import { logoutVerb } from './logout.ts'
import { pairVerb } from './pair.ts'
import { profileVerb } from './profile.ts'
import { reconnectVerb } from './reconnect.ts'
import { releaseVerb } from './release.ts'
import { removeVerb } from './remove.ts'
import { renameVerb } from './rename.ts'
import { startVerb } from './start.ts'
import { statusVerb } from './status.ts'
import { stopVerb } from './stop.ts'
import { watchVerb } from './watch.ts'

export const register = verbs(
  listVerb,
  addVerb,
  removeVerb,
  renameVerb,
  defaultVerb,
  statusVerb,
  startVerb,
  stopVerb,
  reconnectVerb,
  logoutVerb,
  historyVerb,
  watchVerb,
  profileVerb,
  linkVerb,
  pairVerb,
  releaseVerb,
  groupVerbs,
)
