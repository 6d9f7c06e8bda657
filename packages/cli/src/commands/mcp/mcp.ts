import { verbs } from '../../program.ts'
import { actionsVerbs } from './actions.ts'
import { callsVerb } from './calls.ts'
import { configVerb } from './config.ts'
import { connectionsVerbs } from './connections.ts'
import { settingsVerb } from './settings.ts'
import { toolsVerbs } from './tools.ts'

export const register = verbs(configVerb, toolsVerbs, connectionsVerbs, actionsVerbs, callsVerb, settingsVerb)
