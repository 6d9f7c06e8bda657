import { verbs } from '../../program.ts'
import { replayVerb } from '../events/replay.ts'
import { deliveriesVerb } from './deliveries.ts'
import { deliveryVerb } from './delivery.ts'
import { endpointsVerbs } from './endpoints.ts'
import { rotateVerb } from './rotate.ts'
import { setVerb } from './set.ts'
import { showVerb } from './show.ts'
import { testVerb } from './test.ts'

export const register = verbs(
  showVerb,
  setVerb,
  rotateVerb,
  deliveriesVerb,
  deliveryVerb,
  replayVerb('msgctl webhook replay'),
  testVerb,
  endpointsVerbs,
)
