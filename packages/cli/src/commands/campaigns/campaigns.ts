import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { registerCancel } from './cancel.ts'
import { registerCreate } from './create.ts'
import { registerDelete } from './delete.ts'
import { registerEdit } from './edit.ts'
import { registerList } from './list.ts'
import { registerPause } from './pause.ts'
import { registerPreview } from './preview.ts'
import { registerRecipients } from './recipients.ts'
import { registerResume } from './resume.ts'
import { registerSend } from './send.ts'
import { registerShow } from './show.ts'
import { registerWatch } from './watch.ts'

export function register(campaigns: Command, run: Run): void {
  registerCreate(campaigns, run)
  registerPreview(campaigns, run)
  registerEdit(campaigns, run)
  registerList(campaigns, run)
  registerShow(campaigns, run)
  registerRecipients(campaigns, run)
  registerSend(campaigns, run)
  registerWatch(campaigns, run)
  registerPause(campaigns, run)
  registerResume(campaigns, run)
  registerCancel(campaigns, run)
  registerDelete(campaigns, run)
}
