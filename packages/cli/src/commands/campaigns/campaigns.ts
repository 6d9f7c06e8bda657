import { verbs } from '../../program.ts'
import { cancelVerb } from './cancel.ts'
import { createVerb } from './create.ts'
import { deleteVerb } from './delete.ts'
import { editVerb } from './edit.ts'
import { listVerb } from './list.ts'
import { pauseVerb } from './pause.ts'
import { previewVerb } from './preview.ts'
import { recipientsVerb } from './recipients.ts'
import { resumeVerb } from './resume.ts'
import { sendVerb } from './send.ts'
import { showVerb } from './show.ts'
import { watchVerb } from './watch.ts'

export const register = verbs(
  createVerb,
  previewVerb,
  editVerb,
  listVerb,
  showVerb,
  recipientsVerb,
  sendVerb,
  watchVerb,
  pauseVerb,
  resumeVerb,
  cancelVerb,
  deleteVerb,
)
