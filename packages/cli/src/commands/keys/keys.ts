import { verbs } from '../../program.ts'
import { deleteVerb } from './delete.ts'
import { generateVerb } from './generate.ts'
import { rotateVerb } from './rotate.ts'

export const register = verbs(generateVerb, rotateVerb, deleteVerb)
