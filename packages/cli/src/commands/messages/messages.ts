import { verbs } from '../../program.ts'
import { changeVerbs } from './changes.ts'
import { listVerb } from './list.ts'
import { queueVerb } from './queue.ts'
import { showVerb } from './show.ts'

export const register = verbs(listVerb, queueVerb, showVerb, changeVerbs)
