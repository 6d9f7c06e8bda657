import { verbs } from '../../program.ts'
import { connectionVerbs } from './connection.ts'
import { groupVerbs } from './group.ts'
import { historyVerb } from './history.ts'
import { linkVerbs } from './link.ts'
import { listVerb } from './list.ts'
import { profileVerb } from './profile.ts'
import { recordVerbs } from './records.ts'
import { releaseVerb } from './release.ts'
import { statusVerb } from './status.ts'
import { watchVerb } from './watch.ts'

export const register = verbs(
  listVerb,
  recordVerbs,
  statusVerb,
  connectionVerbs,
  historyVerb,
  watchVerb,
  profileVerb,
  linkVerbs,
  releaseVerb,
  groupVerbs,
)
