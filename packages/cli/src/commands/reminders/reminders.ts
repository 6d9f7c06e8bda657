import { verbs } from '../../program.ts'
import { cancelVerb } from './cancel.ts'
import { createVerb } from './create.ts'
import { deleteVerb } from './delete.ts'
import { editVerb } from './edit.ts'
import { importVerb } from './import.ts'
import { listVerb } from './list.ts'
import { showVerb } from './show.ts'

export const register = verbs(listVerb, showVerb, createVerb, importVerb, editVerb, cancelVerb, deleteVerb)
