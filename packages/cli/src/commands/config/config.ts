import { verbs } from '../../program.ts'
import { explainVerb } from './explain.ts'
import { getVerb } from './get.ts'
import { listVerb } from './list.ts'
import { pathVerb } from './path.ts'
import { setVerb } from './set.ts'
import { unsetVerb } from './unset.ts'
import { useVerb } from './use.ts'

export const register = verbs(listVerb, useVerb, explainVerb, getVerb, setVerb, unsetVerb, pathVerb)
