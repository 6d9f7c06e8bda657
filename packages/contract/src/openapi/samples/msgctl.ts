import { piped } from '../../examples/shell.ts'
import type { Sampled } from './samples.ts'

/** Returns the call as a line of msgctl: its own command, or `msgctl api`, which reaches every route. */
export function msgctlSample({ method, path, query, body, route }: Sampled): string {
  if (route.msgctl !== undefined) return route.msgctl
  const fields = Object.entries(query).map(([name, value]) => ` -f ${name}=${String(value)}`)
  const user = route.access.keys === 'none' ? ' --as-user' : ''
  const command = `msgctl api ${method} ${path}${fields.join('')}${user}`
  return body ? piped(JSON.stringify(body, null, 2), `${command} --input -`) : command
}
