import { verbs } from '../../program.ts'
import { changeVerbs } from './changes.ts'
import { createVerb } from './create.ts'
import { importVerb } from './import.ts'
import { listVerbs } from './list.ts'

export const register = verbs(listVerbs, createVerb, importVerb, changeVerbs)
