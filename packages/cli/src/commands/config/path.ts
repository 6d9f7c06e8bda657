import { configPath } from '../../config/config-file.ts'
import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'

async function path(context: Context): Promise<void> {
  const path = configPath(context.host)
  await context.print.text(`${path}\n`, { path })
}

/** `config path`. */
export const pathVerb = verb('path', 'print the path of the configuration file', path, ['msgctl config path'])
