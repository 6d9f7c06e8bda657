import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { registerCancel } from './cancel.ts'
import { registerCreate } from './create.ts'
import { registerDelete } from './delete.ts'
import { registerEdit } from './edit.ts'
import { registerImport } from './import.ts'
import { registerList } from './list.ts'
import { registerShow } from './show.ts'

export function register(reminders: Command, run: Run): void {
  registerList(reminders, run)
  registerShow(reminders, run)
  registerCreate(reminders, run)
  registerImport(reminders, run)
  registerEdit(reminders, run)
  registerCancel(reminders, run)
  registerDelete(reminders, run)
}
