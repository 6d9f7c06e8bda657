import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { registerCancel } from './cancel.ts'
import { registerDelete } from './delete.ts'
import { registerEdit } from './edit.ts'
import { registerForward } from './forward.ts'
import { registerList } from './list.ts'
import { registerQueue } from './queue.ts'
import { registerShow } from './show.ts'

export function register(messages: Command, run: Run): void {
  registerList(messages, run)
  registerQueue(messages, run)
  registerShow(messages, run)
  registerEdit(messages, run)
  registerDelete(messages, run)
  registerForward(messages, run)
  registerCancel(messages, run)
}
