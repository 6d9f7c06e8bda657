import { verbs } from '../../program.ts'
import { explainVerb } from './explain.ts'
import { listVerb } from './list.ts'
import { useVerb } from './use.ts'
import { valueVerbs } from './values.ts'

export const register = verbs(listVerb, useVerb, explainVerb, valueVerbs)
