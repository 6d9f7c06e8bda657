import * as z from 'zod'
import { adminResources, assistantResources } from '../../contract.ts'
import { auth } from '../../routes/people/auth.ts'
import type { Sampled } from './samples.ts'

const width = 80
const isName = /^[A-Za-z_$][\w$]*$/
/** Names that a variable of a program cannot have. */
const reserved = new Set(['delete', 'default', 'import'])

/** Returns a value as TypeScript, on one line where it fits. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') {
    return value.includes("'") ? JSON.stringify(value) : `'${value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}'`
  }
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const make = (at: string) =>
    isList
      ? value.map((entry) => literal(entry, at))
      : Object.entries(value).map(([key, entry]) => `${isName.test(key) ? key : `'${key}'`}: ${literal(entry, at)}`)
  const pad = isList ? '' : ' '
  const line = `${open}${pad}${make(indent).join(', ')}${pad}${close}`
  if (!line.includes('\n') && indent.length + line.length <= width) return line
  return `${open}\n${make(inner)
    .map((entry) => `${inner}${entry},\n`)
    .join('')}${indent}${close}`
}

/** The routes of people have a client of their own. */
const ofAdmins: readonly string[] = [...adminResources, ...assistantResources]
const clientOf = (resource: string) => (ofAdmins.includes(resource) ? 'AdminClient' : 'MessagingClient')

const imports = {
  MessagingClient: "import { MessagingClient } from '@msgctl/client'",
  AdminClient: "import { AdminClient } from '@msgctl/client/admin'",
} as const

/** Returns the lines that create the client; for a route that takes only a user, after signing in. */
function client({ resource, route }: Sampled): string {
  const name = clientOf(resource)
  if (route.access.keys !== 'none') return `${imports[name]}\n\nconst client = new ${name}()`
  const used = [...new Set([imports[name], imports.AdminClient])]
  const user = literal(auth.signIn.example.input)
  const program = [
    ...used,
    '',
    `const signedIn = await new AdminClient().auth.signIn(${user})`,
    "if (signedIn.twoFactorRequired) throw new Error('Complete the sign-in with auth.secondStep.')",
    `const client = new ${name}({ token: signedIn.token })`,
  ]
  return program.join('\n')
}

function call({ resource, name, input, route }: Sampled): string {
  const given = `client.${resource}.${name}(${input ? literal(input) : ''})`
  if (route.stream) {
    const [each, shown] = resource === 'events' ? ['event', 'event.event, event.data'] : ['record', 'record']
    return `for await (const ${each} of ${given}) {\n  console.log(${shown})\n}`
  }
  // Responses of several forms share no fields.
  if (!(route.response instanceof z.ZodObject)) return `const result = await ${given}\nconsole.log(result)`
  const fields = Object.keys(route.example.output).filter((key) => !reserved.has(key))
  if (fields.length === 0) return `await ${given}`
  const names = fields.slice(0, 3).join(', ')
  return `const { ${names} } = await ${given}\nconsole.log(${names})`
}

/** Returns the call as a program that uses our client. */
export function typescriptSample(sampled: Sampled): string {
  return `${client(sampled)}\n${call(sampled)}`
}
