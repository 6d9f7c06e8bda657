import type { Command } from 'commander'
import { configPath } from '../../config/config-file.ts'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'

async function path(context: Context): Promise<void> {
  const path = configPath(context.host)
  await context.print.text(`${path}\n`, { path })
}

/** Adds `config path`. */
export function registerPath(config: Command, run: Run): void {
  addVerb(config, 'path', 'print the path of the configuration file', 'msgctl config path').action(run(path))
}
