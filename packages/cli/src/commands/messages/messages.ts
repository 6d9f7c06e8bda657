import { verbs } from '../../program.ts'
import { cancelVerb } from './cancel.ts'
import { deleteVerb } from './delete.ts'
import { editVerb } from './edit.ts'
import { forwardVerb } from './forward.ts'
import { listVerb } from './list.ts'
import { queueVerb } from './queue.ts'
import { showVerb } from './show.ts'

export const register = verbs(listVerb, queueVerb, showVerb, editVerb, deleteVerb, forwardVerb, cancelVerb)
