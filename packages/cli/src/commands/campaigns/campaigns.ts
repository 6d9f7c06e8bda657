import { verbs } from '../../program.ts'
import { changeVerbs } from './changes.ts'
import { createVerb } from './create.ts'
import { editVerb } from './edit.ts'
import { listVerbs } from './list.ts'
import { previewVerb } from './preview.ts'
import { recipientsVerb } from './recipients.ts'
import { sendVerb } from './send.ts'
import { watchVerb } from './watch.ts'

export const register = verbs(
  createVerb,
  previewVerb,
  editVerb,
  listVerbs,
  recipientsVerb,
  sendVerb,
  watchVerb,
  changeVerbs,
)
