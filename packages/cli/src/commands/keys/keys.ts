import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { registerDelete } from './delete.ts'
import { registerGenerate } from './generate.ts'
import { registerRotate } from './rotate.ts'

export function register(keys: Command, run: Run): void {
  registerGenerate(keys, run)
  registerRotate(keys, run)
  registerDelete(keys, run)
}
